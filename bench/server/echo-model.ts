// A model for loads: answers each prompt with what the prompt asks for by name, piece by piece, so that a reply that was lost or
// mixed up shows. Counts who is at work.
import type { Model } from "../../src/models/model.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { throwIfAborted } from "../../src/vocabulary/index.ts";

/** The reply to a prompt that holds this name. */
export function echoOf(name: string, pieces: number): string {
  return Array.from({ length: pieces }, (_, at) => `${name}/${at} `).join("");
}

export interface EchoModel extends Model {
  /** Replies that are being written now. */
  readonly active: () => number;
  readonly written: () => number;
}

export function createEchoModel({
  sequences,
  pieces,
}: {
  readonly sequences: number;
  readonly pieces: number;
}): EchoModel {
  const base = createScriptedModel({ replies: [], info: { sequences } });
  let active = 0;
  let written = 0;
  return {
    ...base,
    active: () => active,
    written: () => written,
    generate: async function* (request) {
      const prompt = request.prompt.map(({ text }) => text).join("");
      const name = /ask-\d+-\d+/.exec(prompt)?.[0] ?? "nobody";
      active += 1;
      try {
        const evaluated = Math.ceil(prompt.length / 4);
        yield { type: "prefill-end", reused: 0, loaded: 0, evaluated, ofPrompt: evaluated, milliseconds: 0 };
        for (let at = 0; at < pieces; at++) {
          // The time of a token of a fast small model: a server that has nothing to wait for would only measure its processor.
          await new Promise((resolve) => setTimeout(resolve, 2));
          throwIfAborted(request.signal);
          yield { type: "piece", text: `${name}/${at} `, source: "sampled", tokens: 1 };
          written += 1;
        }
        yield { type: "end", reason: "end-of-generation" };
      } finally {
        active -= 1;
      }
    },
  };
}
