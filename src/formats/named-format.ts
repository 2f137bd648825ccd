// What the formats share that write a call's name in marks of its own and its arguments behind it, as JSON or in another layout.
// Knows how such calls are put together; a format's own file gives its marks, its words, and how a name is read.
import { jsonLayout, type Layout } from "../schema-grammar/layout.ts";
import { writeValue } from "../schema-grammar/write-value.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import { composeGrammar, loadPieces, plainCallRules } from "./compose-grammar.ts";
import { type Frame, oneLine } from "./envelope-format.ts";
import type {
  CallReader,
  Constraint,
  ConstraintRequest,
  Format,
  LayoutOptions,
  OfferedTool,
  Opener,
  ReadableFormat,
  WriteOptions,
  WrittenCall,
} from "./format.ts";
import { renderPrompt } from "./render-prompt.ts";

export interface NamedStyle extends Pick<ReadableFormat, "silent" | "reasoning"> {
  /** The format's name, which its grammar's file has as well. */
  readonly name: string;
  readonly openers: readonly [Opener, ...Opener[]];
  readonly prompt: {
    /** How to call a tool, as a clause that an example follows. */
    readonly instruction: string;
    /** How several calls are written, as a sentence. */
    readonly several: string;
  };
  /** Names that can be read back; others are the caller's to change. */
  readonly names: RegExp;
  /** What stands before the first call's name, between a name and its arguments, between two calls, and at the end. */
  readonly frame: Frame & { readonly between: string };
  /** Rules of the grammar that a call's name and arguments take the place of, each with what stands between the two. */
  readonly calls?: Readonly<Record<string, string>>;
  /** The rule of the grammar to start from; absent: `several` or `one`. */
  root?(request: { readonly opener: Opener; readonly parallel: boolean }): string;
  /** How arguments are laid out; absent: as JSON. */
  layout?(options: LayoutOptions): Layout;
  /** Reads the text after the opener. */
  reader(options: { readonly opener: Opener; readonly lenient: boolean }): CallReader;
}

export function createNamedFormat(style: NamedStyle): Format {
  const { name, openers, silent, reasoning, prompt: words, frame } = style;
  const layoutOf = (options: LayoutOptions) => style.layout?.(options) ?? jsonLayout(oneLine(options));

  // Prompt

  function describeCall(parallel: boolean): string {
    const example = writeCalls([{ name: "TOOL", input: { PARAMETER: "value" } }], {
      spacing: "spaced",
      parallel,
    });
    return `To call a tool, ${words.instruction}:\n${example}${parallel ? `\n${words.several}` : ""}`;
  }

  function writeCalls(calls: readonly WrittenCall[], options: WriteOptions): string {
    const layout = layoutOf(options);
    const written = calls.map((call) => call.name + frame.between + writeValue(call.input, layout));
    return frame.first + written.join(frame.next) + frame.last;
  }

  // Constraint

  function constraint(request: ConstraintRequest): Constraint {
    const { tools, parallel, specialTokens = [], opener = openers[0] } = request;
    refuseNames(tools);
    const grammar = composeGrammar({
      pieces: loadPieces(name),
      root: style.root?.({ opener, parallel }) ?? (parallel ? "several" : "one"),
      rules: plainCallRules(tools, style.calls ?? { call: "between" }),
      specialTokens,
    });
    return { grammar, opener };
  }

  function refuseNames(tools: readonly OfferedTool[]): void {
    const unreadable = tools.find((tool) => !style.names.test(tool.name));
    if (unreadable === undefined) return;
    throw new CallwrightError(
      "tool-invalid",
      `The name ${JSON.stringify(unreadable.name)} cannot be read back from calls in the format ${name}. Rename the tool.`,
    );
  }

  return {
    name,
    openers,
    ...(silent === undefined ? {} : { silent }),
    ...(reasoning === undefined ? {} : { reasoning }),
    prompt: (request, template) =>
      renderPrompt(request, template, {
        writeCalls,
        describeCall,
      }),
    argumentsLayout: layoutOf,
    writeCalls,
    constraint,
    parser: ({ lenient = false, opener = openers[0] } = {}) => style.reader({ lenient, opener }),
  };
}
