// The tools that a run adds to its catalogue where a turn needs them: one reads results that were cut, one finds tools
// that are hidden. When they are offered, the turn decides; both work only on what the run itself holds.
import { shortenText } from "../context/shorten-text.ts";
import type { DecodeContext, TurnOfRun } from "../decode/turn-request.ts";
import type { Session } from "../journal/index.ts";
import { describeTool, type Tool } from "../tools/index.ts";
import type { Call, Message } from "../vocabulary/index.ts";
import { createResultReader, type ResultReader } from "./result-reader.ts";
import { createToolFinder, type ToolFinder } from "./tool-finder.ts";

export interface RunTools {
  /** The catalogue and the run's own tools; in a name that both use, the catalogue's. */
  add(catalogue: readonly Tool[]): readonly Tool[];
  /** What a turn has to know of this run. */
  describe(catalogue: readonly Tool[]): TurnOfRun;
  /** What the model is shown of a result at once; the whole is kept. */
  shorten(call: Call, text: string): Promise<string>;
}

/** Characters of a page for each token that a result may take; dense text is cut once more. */
const charactersOfToken = 2;

/** Both tools are named when the catalogue is first seen, so that they keep clear of its names. */
export function createRunTools(options: {
  readonly context: DecodeContext;
  readonly messages: readonly Message[];
  readonly catalogue: () => readonly Tool[];
  /** Keeps whole results beyond the run. */
  readonly session?: Pick<Session, "keepOutput" | "readOutput" | "outputs">;
}): RunTools {
  const { catalogue, messages, session } = options;
  const { model, profile } = options.context;
  const share = Math.floor(model.info.contextSize * profile.context.resultShare);
  const request = messages.findLast(({ role }) => role === "user");
  let own: { readonly reader: ResultReader; readonly finder: ToolFinder } | undefined;
  const ownTools = (tools: readonly Tool[]) => {
    own ??= {
      reader: createResultReader({
        name: freeName("read_result", tools),
        pageLength: Math.max(1, share * charactersOfToken),
        ...(session === undefined ? {} : { store: session }),
      }),
      finder: createToolFinder({
        name: freeName("find_tools", tools),
        catalogue,
        most: profile.diet.tools,
      }),
    };
    return own;
  };
  return {
    add: (tools) => {
      const { reader, finder } = ownTools(tools);
      return [...tools, ...[reader.tool, finder.tool].filter((tool) => isFree(tool.name, tools))];
    },
    describe: (tools) => {
      const { reader, finder } = ownTools(tools);
      const offersFinder = profile.diet.finder && isFree(finder.tool.name, tools);
      return {
        ...(request === undefined ? {} : { request }),
        keptResults: reader.results,
        ...(isFree(reader.tool.name, tools) ? { reader: describeTool(reader.tool, profile) } : {}),
        ...(offersFinder ? { finder: describeTool(finder.tool, profile) } : {}),
        foundTools: finder.found,
      };
    },
    shorten: (call, text) => {
      const { reader } = ownTools([]);
      // What the reader gives is a part of something that is kept already, and short texts are never cut.
      const isKept = call.name !== reader.tool.name && Buffer.byteLength(text) > profile.context.preview;
      if (isKept) reader.keep(call.id, text);
      const count = (part: string) => model.countTokens([{ text: part, special: false }]);
      return shortenText(text, { count, tokens: share, ...reader.results.get(call.id) });
    },
  };
}

function isFree(name: string, tools: readonly Tool[]): boolean {
  return tools.every((tool) => tool.name !== name);
}

function freeName(name: string, tools: readonly Tool[]): string {
  if (isFree(name, tools)) return name;
  let number = 2;
  while (!isFree(`${name}_${number}`, tools)) number += 1;
  return `${name}_${number}`;
}
