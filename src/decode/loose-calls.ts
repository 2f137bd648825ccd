// Finds calls in text that no format's opener announced: JSON with a known tool's name inside marks that nobody knows, or
// alone on its lines. Looks only where nothing else was read, and takes only what stands apart from the prose.
import { createEnvelopeReader, type ReadCall } from "../formats/index.ts";
import type { CheckedTool } from "./check-call.ts";

export interface LooseCalls {
  readonly calls: readonly (ReadCall & { readonly text: string })[];
  /** The text without them. */
  readonly rest: string;
}

// `<functioncall `, `<|plugin|>`, `[TOOL_REQUEST]`, `<tool>` and their like: one mark, alone before the object on its line.
const wrapperBefore = /(?:^|\n)[ \t]*((?:<[/|]?[\w|:.-]+[|]?>?|\[[A-Z_]+\])\s*)$/;
const lineBefore = /(?:^|\n)\s*$/;
const wrapperAfter = /^\s*(?:[|]?>|<[/|][\w|:.-]+[|]?>|\[\/?[A-Z_]+\])*/;

/** Calls of known tools that stand loose in `text`; none where there are none. */
export function findLooseCalls(text: string, tools: readonly CheckedTool[]): LooseCalls {
  const calls: (ReadCall & { text: string })[] = [];
  let rest = "";
  let done = 0;
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at + 1)) {
    if (at < done) continue;
    const before = text.slice(done, at);
    const wrapper = wrapperBefore.exec(before)?.[1];
    if (wrapper === undefined && !lineBefore.test(before)) continue;
    const rule = wrapper === undefined ? "unannounced-object" : "unknown-wrapper";
    const reader = createEnvelopeReader({ lenient: true, base: at, rule });
    const call = reader.push(text.slice(at)).find((event) => event.type === "call-end");
    if (call?.type !== "call-end" || !tools.some((tool) => tool.name === call.name)) continue;
    const end = at + reader.offset;
    const after = wrapper === undefined ? "" : (wrapperAfter.exec(text.slice(end))?.[0] ?? "");
    // Words on the same line speak about the object; a call stands alone.
    if (!/^[ \t]*(?:\n|$)/.test(text.slice(end + after.length))) continue;
    rest += before.slice(0, before.length - (wrapper?.length ?? 0));
    done = end + after.length;
    calls.push({ ...call, text: text.slice(at, end) });
  }
  return { calls, rest: calls.length === 0 ? text : `${rest}${text.slice(done)}`.trim() };
}
