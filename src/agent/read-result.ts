// Makes one shape of whatever a tool gives back: text for the model, data for others; what was promised is checked.
import { createValidator } from "../schema-grammar/validator.ts";
import type { Attachment, Tool, ToolResult } from "../tools/index.ts";
import { findNonJson, type JsonObject } from "../vocabulary/index.ts";
import type { CallResult } from "./run-call.ts";

/** Throws `TypeError` where there is nothing that a model could read. */
export function readResult(tool: Tool, result: ToolResult | undefined): CallResult {
  if (typeof result !== "object" || result === null) throw new TypeError("The tool returned nothing.");
  const { output, title } = result;
  const fault = tool.outputSchema === undefined ? undefined : outputFault(tool, output);
  if (fault !== undefined) return { outcome: "failed", content: fault };
  const text = result.text ?? (output === undefined ? undefined : JSON.stringify(output));
  if (typeof text !== "string") throw new TypeError("The tool returned no text.");
  const attachments = result.attachments ?? [];
  const metadata: JsonObject = {
    ...result.metadata,
    ...(title === undefined ? {} : { title }),
    ...(output === undefined ? {} : { output }),
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(describe) }),
  };
  return {
    outcome: "completed",
    content: [text, ...attachments.map(writeAttachment)].join("\n"),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/** A result that is not what its tool promised would mislead whoever builds on it. */
function outputFault(tool: Tool, output: unknown): string | undefined {
  const stranger = findNonJson(output);
  const faults = stranger === undefined ? createValidator(tool.outputSchema)(output) : [];
  const [fault] = faults;
  if (stranger === undefined && fault === undefined) return undefined;
  const { pointer, expected, came } = fault ?? {
    pointer: stranger?.pointer ?? "",
    expected: "JSON",
    came: stranger?.came ?? "nothing",
  };
  const place = pointer === "" ? "" : ` at ${pointer}`;
  return `"${tool.name}" ran, but its result is not what it promises${place}: expected ${expected}, came ${came}.`;
}

function describe(attachment: Attachment): JsonObject {
  return { name: attachment.name, mediaType: attachment.mediaType, bytes: sizeOf(attachment) };
}

function sizeOf({ data }: Attachment): number {
  return typeof data === "string" ? Buffer.byteLength(data) : data.byteLength;
}

/** Text is read; of anything else the model is told that it is there. */
function writeAttachment(attachment: Attachment): string {
  const { name, mediaType, data } = attachment;
  if (typeof data === "string" && /^(?:text\/|application\/(?:json|xml)\b)/.test(mediaType)) {
    return `[${name}]\n${data}`;
  }
  return `[attached: ${name}, ${mediaType}, ${sizeOf(attachment)} bytes; it cannot be shown as text]`;
}
