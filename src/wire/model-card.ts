// What every API's list of models says of one, before it is put into that API's shape.

export interface ModelCard {
  readonly id: string;
  /** Tokens of the window it has, or will have once it is loaded. */
  readonly contextSize?: number;
  readonly trainedContextSize?: number;
  /** Tokens of a reply where a request does not say. */
  readonly replySize?: number;
  readonly reasons: boolean;
  readonly state: "loaded" | "loading" | "unloaded";
  readonly bytes?: number;
  readonly family?: string;
  readonly quantisation?: string;
  /** The file's own chat template, where it is known. */
  readonly template?: string;
  readonly vocabularySize?: number;
  /** When it is unloaded if nobody asks for it, in milliseconds since the epoch. */
  readonly until?: number;
}

/** What the model can do, in the words that Ollama and others use. Every model can call tools here. */
export function capabilitiesOf({ reasons }: ModelCard): string[] {
  return ["completion", "tools", ...(reasons ? ["thinking"] : [])];
}
