// Finds calls in text that no format's opener announced: JSON with a known tool's name inside marks that nobody knows, or
// alone on its lines. Looks only where nothing else was read, and takes only what stands apart from the prose.
import { createEnvelopeReader, type ReadCall } from "../formats/index.ts";
import type { CheckedTool } from "./check-call.ts";

export interface LooseCalls {
  readonly calls: readonly (ReadCall & { readonly text: string })[];
  /** The text without them. */
  readonly rest: string;
}

// `<functioncall `, `<|plugin|>`, `[TOOL_REQUEST]`, `<tool>` and their like: one mark, alone before the object.
const wrapperBefore = /^(?:<[/|]?[\w|:.-]+[|]?>?|\[[A-Z_]+\])\s*$/;
const wrapperAfter = /^\s*(?:[|]?>|<[/|][\w|:.-]+[|]?>|\[\/?[A-Z_]+\])*/;

// Calls stand near the front; a text full of braces is no reply worth searching through.
const placesTried = 20;

/** Calls of known tools that stand loose in `text`; none where there are none. */
export function findLooseCalls(text: string, tools: readonly CheckedTool[]): LooseCalls {
  const calls: (ReadCall & { text: string })[] = [];
  let rest = "";
  let done = 0;
  let tried = 0;
  let next = 0;
  for (let at = text.indexOf("{"); at !== -1 && tried < placesTried; at = text.indexOf("{", next)) {
    next = at + 1;
    const wrapperAt = wrapperStart(text, at, done);
    if (wrapperAt === undefined) {
      // Nothing else on a line of words can be a call.
      const lineEnd = text.indexOf("\n", at);
      next = lineEnd === -1 ? text.length : lineEnd;
      continue;
    }
    tried += 1;
    const rule = wrapperAt === at ? "unannounced-object" : "unknown-wrapper";
    const reader = createEnvelopeReader({ lenient: true, base: at, rule });
    const call = reader.push(text.slice(at)).find((event) => event.type === "call-end");
    if (call?.type !== "call-end" || !tools.some((tool) => tool.name === call.name)) continue;
    const end = at + reader.offset;
    const after = wrapperAt === at ? "" : (wrapperAfter.exec(text.slice(end))?.[0] ?? "");
    // Words on the same line speak about the object; a call stands alone.
    if (!/^[ \t]*(?:\n|$)/.test(text.slice(end + after.length))) continue;
    rest += text.slice(done, wrapperAt);
    done = end + after.length;
    next = done;
    calls.push({ ...call, text: text.slice(at, end) });
  }
  return { calls, rest: calls.length === 0 ? text : `${rest}${text.slice(done)}`.trim() };
}

/** Where what belongs to the object at `at` begins: a wrapper before it, or itself; undefined inside a line of words. */
function wrapperStart(text: string, at: number, from: number): number | undefined {
  const before = text.slice(from, at);
  const lineStart = Math.max(from, text.lastIndexOf("\n", at - 1) + 1);
  const onLine = text.slice(lineStart, at);
  if (onLine.trim() !== "") return wrapperBefore.test(onLine.trimStart()) ? lineStart : undefined;
  const previous = before.trimEnd();
  const previousStart = previous.lastIndexOf("\n") + 1;
  return wrapperBefore.test(previous.slice(previousStart).trimStart()) ? from + previousStart : at;
}
