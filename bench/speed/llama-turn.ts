// The same turn on llama-server: its raw completion of the same prompt under the calls' schema.

export interface LlamaTurn {
  readonly call: { readonly name: string; readonly arguments: unknown } | undefined;
  readonly milliseconds: number;
  readonly promptMilliseconds: number;
  readonly generationMilliseconds: number;
  readonly promptTokens: number;
  readonly generatedTokens: number;
}

interface Completion {
  readonly content: string;
  readonly timings: {
    readonly prompt_n: number;
    readonly prompt_ms: number;
    readonly predicted_n: number;
    readonly predicted_ms: number;
  };
}

/** Throws where the server refuses. */
export async function llamaTurn(
  url: string,
  request: { readonly prompt: string; readonly schema: object },
): Promise<LlamaTurn> {
  const started = performance.now();
  const response = await fetch(`${url}/completion`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      prompt: request.prompt,
      json_schema: request.schema,
      temperature: 0,
      n_predict: 256,
      cache_prompt: true,
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`llama-server: ${text.slice(0, 300)}`);
  const milliseconds = performance.now() - started;
  const { content, timings } = JSON.parse(text) as Completion;
  return {
    call: callOf(content),
    milliseconds,
    promptMilliseconds: timings.prompt_ms,
    generationMilliseconds: timings.predicted_ms,
    promptTokens: timings.prompt_n,
    generatedTokens: timings.predicted_n,
  };
}

function callOf(content: string): LlamaTurn["call"] {
  try {
    return JSON.parse(content) as LlamaTurn["call"];
  } catch {
    // Cut off at the token limit, which leaves no call to compare.
    return undefined;
  }
}
