// What the checks of all clients share: the tools they offer, and the task that real weights are given.
import { randomInt } from "node:crypto";

export const weather = {
  name: "get_weather",
  description: "Tells the weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
    required: ["city"],
    additionalProperties: false,
  },
};

/** Text with characters of two, three and four bytes, so that cuts fall into them. */
export const answer = "Ærlig talt: 21 °C in Oslo today, blue sky 🌤, 東京 is warmer.";

/**
 * The address of a server with real weights, and the model's id there. Undefined where the run is of scripted checks only,
 * which is said by whoever started it.
 */
export const real =
  process.env.CONFORMANCE_REAL_URL === undefined
    ? undefined
    : { url: process.env.CONFORMANCE_REAL_URL, model: process.env.CONFORMANCE_REAL_MODEL };

/** Skips with a reason where there is none; tests with weights take long on small machines. */
export const withWeights = {
  skip: real === undefined ? "scripted checks only (--scripted)" : false,
  timeout: 900_000,
};

/** A task that is done only by calling the tool: its result is drawn, and nobody could guess it. */
export function createTask() {
  const code = String(randomInt(100_000, 999_999));
  let calls = 0;
  return {
    code,
    tool: {
      name: "read_code",
      description: "Reads the secret code and returns it.",
      parameters: { type: "object", properties: {}, additionalProperties: false },
    },
    prompt: "Call the tool read_code, then tell me the code that it returned.",
    run: () => {
      calls += 1;
      return `The code is ${code}.`;
    },
    /** Throws where the loop is not complete: the tool was run, and what it gave is in the answer. */
    check: (text) => {
      if (calls === 0) throw new Error(`the tool was never called; the answer is ${JSON.stringify(text)}`);
      if (!String(text).includes(code)) {
        throw new Error(`the answer does not have the code ${code}: ${JSON.stringify(text)}`);
      }
    },
  };
}
