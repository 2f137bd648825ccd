// What llama.cpp's complaints about a model file mean for whoever gave the file.
import { CallwrightError } from "../../vocabulary/index.ts";

/** Why a file that is whole cannot be loaded: `said` is what llama.cpp wrote about it. */
export function explainLoadFailure(
  path: string,
  { error, said, architecture }: { error: unknown; said: readonly string[]; architecture: string },
): CallwrightError {
  const thrown = error instanceof Error ? error.message : String(error);
  const reason =
    said.map((line) => /error loading model: (.+)/.exec(line)?.[1]?.trim()).find(Boolean) ?? thrown;
  const options = { cause: error, details: { architecture } };
  if (/unknown (?:model )?architecture/i.test(reason)) {
    return new CallwrightError(
      "model-unsupported",
      `${path} is of the architecture "${architecture}", which this build of llama.cpp does not know. Choose another model.`,
      options,
    );
  }
  if (/memory|VRAM|context size|alloc/i.test(reason)) {
    return new CallwrightError(
      "model-unsupported",
      `${path} does not fit this machine's memory: ${reason}. Give a smaller --ctx or a smaller model.`,
      options,
    );
  }
  return new CallwrightError(
    "model-file-invalid",
    `llama.cpp cannot load ${path} (architecture "${architecture}"): ${reason}. Choose another model or another file of it.`,
    options,
  );
}
