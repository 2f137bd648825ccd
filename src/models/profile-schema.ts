// JSON Schema of a profile as people write it: every part may be left out, unknown keys are refused.
// A constant and not a .json file, so that the compiler carries it into the package.
import { createValidator } from "../schema-grammar/validator.ts";
import { CallwrightError, type JsonObject } from "../vocabulary/index.ts";
import { firstFault } from "./first-fault.ts";
import type { PartialProfile } from "./profile.ts";

const boolean = { type: "boolean" } as const;
const text = { type: "string" } as const;
const name = { type: "string", minLength: 1 } as const;
const share = { type: "number", minimum: 0, maximum: 1 } as const;
const count = { type: "integer", minimum: 0 } as const;
const weight = { type: "number", minimum: 0, maximum: 20 } as const;
const positive = { type: "integer", minimum: 1 } as const;
const temperature = { type: "number", minimum: 0, maximum: 5 } as const;

const penalty = { type: "number", minimum: 0, maximum: 2 } as const;

const sampling = closed({
  temperature,
  topK: count,
  topP: share,
  minP: share,
  presencePenalty: penalty,
  frequencyPenalty: penalty,
});

/** The parts of a profile, each with its own schema. */
export const profileProperties = {
  name,
  format: name,
  openers: { type: "array", items: name, uniqueItems: true },
  template: closed({ replacement: text, variables: { type: "object" } }),
  reasoning: closed({
    marks: closed({ start: name, end: name }, ["start", "end"]),
    switch: closed({
      variable: name,
      words: closed({ on: name, off: name }, ["on", "off"]),
      effort: closed({ variable: name, low: name, medium: name, high: name }, [
        "variable",
        "low",
        "medium",
        "high",
      ]),
    }),
    mode: { enum: ["on", "off", "auto"] },
    effort: { enum: ["low", "medium", "high"] },
    budget: count,
    history: { enum: ["drop", "keep-in-tool-loop", "keep"] },
  }),
  sampling: closed({ thinking: sampling, text: sampling, call: sampling }),
  calls: closed({
    parallel: boolean,
    keyOrder: { enum: ["schema", "any"] },
    spacing: {
      anyOf: [{ enum: ["compact", "spaced"] }, closed({ indent: count, level: count }, ["indent", "level"])],
    },
    hints: boolean,
    grounding: boolean,
    candidates: count,
    repeats: count,
    instruction: text,
    decision: closed({ kind: { enum: ["greedy", "score"] }, threshold: share, nameWeight: weight }),
    stringLimit: positive,
    itemLimit: positive,
    depthLimit: positive,
  }),
  diet: closed({
    descriptions: { enum: ["full", "first-sentence"] },
    share,
    tools: positive,
    finder: boolean,
  }),
  context: closed({ size: positive, reserve: positive, resultShare: share, preview: count }),
  retry: closed({
    attempts: positive,
    temperatures: { type: "array", items: temperature, minItems: 1 },
    tokens: count,
  }),
  runtime: closed({
    threads: count,
    batch: positive,
    sequences: { type: "integer", minimum: 1, maximum: 64 },
    flashAttention: { enum: ["auto", true, false] },
    kv: { enum: ["f16"] },
  }),
} satisfies JsonObject;

export const profileSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Callwright profile",
  ...closed(profileProperties),
} satisfies JsonObject;

const findProfileFaults = createValidator(profileSchema);

export interface ProfilePlace {
  /** File or argument the profile was written in, for the message. */
  readonly file: string;
  /** JSON pointer to the profile in that file. */
  readonly pointer?: string;
}

/** A profile read from outside. Throws `profile-invalid` with the pointer of the first fault. */
export function parseProfile(value: unknown, place: ProfilePlace): PartialProfile {
  const fault = firstFault(findProfileFaults(value));
  if (fault === undefined) return value as PartialProfile;
  const pointer = (place.pointer ?? "") + fault.pointer;
  throw new CallwrightError(
    "profile-invalid",
    `The profile in ${place.file} is not valid at ${pointer || "its root"}: ${fault.text}.`,
    { pointer },
  );
}

function closed(properties: JsonObject, required: readonly string[] = []) {
  return { type: "object", properties, required, additionalProperties: false } as const;
}
