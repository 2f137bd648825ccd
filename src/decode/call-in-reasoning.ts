// A call that was left inside the reasoning is never made: reasoning also speaks about calls. Where nothing else came, it
// shows that the model meant to call, so that the host may close the reasoning and decode again.
import { createTurnParser, type ReadableFormat } from "../formats/index.ts";
import type { CheckedTool } from "./check-call.ts";

export interface ReasoningRequest {
  readonly reply: { readonly content: string; readonly reasoning: string };
  readonly verdict: { readonly calls: readonly unknown[]; readonly refused: readonly unknown[] };
  readonly formats: readonly ReadableFormat[];
  readonly tools: readonly CheckedTool[];
}

/** What to do next and why, if the reply holds nothing but reasoning with a complete call of a known tool in it. */
export function callInReasoning({
  reply,
  verdict,
  formats,
  tools,
}: ReasoningRequest): { readonly next: string; readonly reason: string } | undefined {
  const isSilent = reply.content === "" && verdict.calls.length === 0 && verdict.refused.length === 0;
  if (!isSilent || reply.reasoning === "") return undefined;
  const lineFormats = formats.map(onLinesOnly);
  const parser = createTurnParser({ formats: lineFormats, lenient: true });
  const call = [...parser.push(reply.reasoning), ...parser.finish()].find(
    (event) => event.type === "call-end" && tools.some((tool) => tool.name === event.name),
  );
  if (call?.type !== "call-end") return undefined;
  return {
    next: "re-decode with the thinking closed and the call grammar on",
    reason: `A call to ${call.name} was written inside the reasoning, where it is not made; it has to come after it.`,
  };
}

function onLinesOnly(format: ReadableFormat): ReadableFormat {
  const openers = format.openers
    .filter((opener) => opener.strength === "certain")
    .map((opener) => ({ ...opener, position: "line-start" as const }));
  return { name: format.name, openers, parser: (options) => format.parser(options) };
}
