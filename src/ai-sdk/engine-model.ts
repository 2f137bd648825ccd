// An engine as a language model of the AI SDK: one turn for each request, nothing executed. Tools are run by the SDK.
import type { Engine } from "../engine.ts";
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "./provider-types.ts";
import { readOptions } from "./read-options.ts";
import { streamParts } from "./stream-parts.ts";

/**
 * A `LanguageModelV3` over the engine, which its owner closes. Requests throw what `engine.call` throws. `modelId` is the name
 * under which the SDK tells of it.
 */
export function engineModel(engine: Pick<Engine, "turn">, modelId = "callwright"): LanguageModelV3 {
  const partsOf = (options: LanguageModelV3CallOptions) => {
    const { request, warnings } = readOptions(options);
    return streamParts(engine.turn(request), { modelId, warnings }, options.abortSignal);
  };
  return {
    specificationVersion: "v3",
    provider: "callwright",
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => foldParts(partsOf(options)),
    doStream: async (options) => {
      const parts = partsOf(options);
      return {
        stream: new ReadableStream<LanguageModelV3StreamPart>({
          async pull(controller) {
            try {
              const { done, value } = await parts.next();
              if (done === true) controller.close();
              else controller.enqueue(value);
            } catch (error) {
              // The contract tells of errors in the stream; one that was aborted ends as such.
              if (options.abortSignal?.aborted === true) {
                controller.error(options.abortSignal.reason);
                return;
              }
              controller.enqueue({ type: "error", error });
              controller.close();
            }
          },
          async cancel() {
            await parts.return(undefined);
          },
        }),
      };
    },
  };
}

/** The form that is not streaming. */
async function foldParts(
  parts: AsyncIterable<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3GenerateResult> {
  const content: LanguageModelV3Content[] = [];
  let result: Omit<LanguageModelV3GenerateResult, "content" | "warnings"> | undefined;
  let warnings: LanguageModelV3GenerateResult["warnings"] = [];
  let response: LanguageModelV3GenerateResult["response"] = {};
  let text = "";
  for await (const part of parts) {
    switch (part.type) {
      case "stream-start":
        warnings = part.warnings;
        break;
      case "response-metadata": {
        const { type: _type, ...metadata } = part;
        response = metadata;
        break;
      }
      case "text-start":
      case "reasoning-start":
        text = "";
        break;
      case "text-delta":
      case "reasoning-delta":
        text += part.delta;
        break;
      case "text-end":
        content.push({ type: "text", text });
        break;
      case "reasoning-end":
        content.push({ type: "reasoning", text });
        break;
      case "tool-call":
        content.push(part);
        break;
      case "finish": {
        const { type: _type, ...finish } = part;
        result = finish;
        break;
      }
      default:
        break;
    }
  }
  if (result === undefined) throw new Error("the turn did not end");
  return { ...result, content, warnings, response };
}
