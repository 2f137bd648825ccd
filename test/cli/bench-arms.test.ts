// The switches of `bench calls` are options of the engine: each is one that it takes, and changes what it does.
import { describe, expect, it } from "vitest";
import { checkRequest } from "../../src/agent/index.ts";
import { grammarModes, partNames, switchesOf, toolTexts } from "../../src/cli/bench-arms.ts";
import { defaultLevers } from "../../src/decode/levers.ts";
import { parseProfile } from "../../src/models/profile-schema.ts";

describe("every switch", () => {
  const settings = [
    ...partNames.map((part) => ({ without: [part] })),
    ...grammarModes.map((grammar) => ({ without: [], grammar })),
    ...toolTexts.map((toolText) => ({ without: [], toolText })),
  ];

  it.each(settings)("%j is one that the engine takes", (setting) => {
    const { levers, profile, names } = switchesOf(setting);
    expect(() => checkRequest({ prompt: "Hi.", levers }, "turn")).not.toThrow();
    expect(parseProfile(profile, { file: "test" })).toEqual(profile);
    expect(names).toHaveLength(1);
  });

  it.each(partNames)("without %s something is not as it is by default", (part) => {
    const { levers, profile } = switchesOf({ without: [part] });
    const changed = Object.entries(levers).filter(
      ([name, value]) => defaultLevers[name as keyof typeof defaultLevers] !== value,
    );
    expect(changed.length + Object.keys(profile).length).toBeGreaterThan(0);
  });
});

it("several are laid over each other, and an explicit mode wins", () => {
  const { levers, profile, names } = switchesOf({
    without: ["grammar", "retry", "trimming"],
    grammar: "late",
  });
  expect(levers).toEqual({ grammar: "late", rewind: false, askAgain: false });
  expect(profile).toEqual({ diet: { descriptions: "full", share: 1 }, context: { resultShare: 1 } });
  expect(names).toEqual(["without grammar", "without retry", "without trimming", "grammar late"]);
});
