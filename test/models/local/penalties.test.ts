import { describe, expect, it } from "vitest";
import { createPenalties } from "../../../src/models/local/penalties.ts";
import { sampleToken } from "../../../src/models/local/sample-token.ts";

const free = { type: "free", specials: [] } as const;
const plain = { temperature: 0, topK: 0, topP: 1, minP: 0 };
const candidates = [
  { token: 7, probability: 0.5 },
  { token: 3, probability: 0.3 },
  { token: 9, probability: 0.2 },
];

function penalised(
  penalties: Partial<Record<"presencePenalty" | "frequencyPenalty", number>>,
  reply: number[],
) {
  const made = createPenalties({ sampling: { ...plain, ...penalties }, span: free }, reply);
  return made?.apply(candidates).map(({ token, probability }) => [token, Number(probability.toFixed(4))]);
}

describe("penalties", () => {
  it("take the presence penalty once from a token's logit, however often it came", () => {
    // 0.5 / e = 0.1839, of 0.1839 + 0.3 + 0.2 = 0.6839 left.
    const expected = [
      [3, 0.4386],
      [9, 0.2924],
      [7, 0.2689],
    ];
    expect(penalised({ presencePenalty: 1 }, [7])).toEqual(expected);
    expect(penalised({ presencePenalty: 1 }, [7, 7, 4, 7])).toEqual(expected);
  });

  it("take the frequency penalty for each time", () => {
    // 0.5 / e^1.5 = 0.1116 and 0.3 / e^0.5 = 0.1820, of 0.1116 + 0.1820 + 0.2 = 0.4935.
    expect(penalised({ frequencyPenalty: 0.5 }, [7, 3, 7, 7])).toEqual([
      [9, 0.4052],
      [3, 0.3687],
      [7, 0.2261],
    ]);
  });

  it("add up", () => {
    // 0.5 / e^(0.5 + 0.25) = 0.2362, of 0.7362.
    expect(penalised({ presencePenalty: 0.5, frequencyPenalty: 0.25 }, [7])?.[2]).toEqual([9, 0.2717]);
  });

  it("leave alone what a grammar constrains, and everything where none is set", () => {
    const grammar = { root: "root", rules: new Map() };
    const sampling = { ...plain, presencePenalty: 1 };
    expect(createPenalties({ sampling, span: { type: "constrained", grammar } }, [7])).toBeUndefined();
    expect(createPenalties({ sampling: plain, span: free }, [7])).toBeUndefined();
    expect(penalised({ presencePenalty: 1 }, [])).toEqual(candidates.map(Object.values));
  });

  it("end a loop that greedy sampling would go on with, and ask for as many more candidates as were penalised", () => {
    const sampling = { ...plain, presencePenalty: 2 };
    const penalties = createPenalties({ sampling, span: free }, []);
    const chosen: unknown[] = [];
    for (let position = 0; position < 4; position++) {
      expect(penalties?.more).toBe(Math.min(position, 3));
      const choice = sampleToken(penalties?.apply(candidates) ?? [], sampling, { seed: 1, position });
      penalties?.take(choice?.token ?? -1);
      chosen.push(choice?.token);
    }
    expect(chosen).toEqual([7, 3, 9, 7]);
  });

  it("keep an order where hardly anything is left", () => {
    const made = createPenalties({ sampling: { ...plain, presencePenalty: 2 }, span: free }, [7]);
    expect(made?.apply([{ token: 7, probability: 1 }])).toEqual([
      { token: 7, probability: expect.closeTo(1, 5) },
    ]);
  });
});
