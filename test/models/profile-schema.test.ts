import { describe, expect, it } from "vitest";
import { defaultProfile, resolveProfile } from "../../src/models/profile.ts";
import { parseProfile } from "../../src/models/profile-schema.ts";

describe("parseProfile", () => {
  it("knows every part of a profile", () => {
    const whole = {
      ...defaultProfile,
      template: { replacement: "{{ messages }}", variables: { thinking: true } },
      reasoning: {
        ...defaultProfile.reasoning,
        marks: { start: "<think>", end: "</think>" },
        switch: { variable: "enable_thinking" },
      },
    };
    expect(parseProfile(whole, { file: "p.json" })).toBe(whole);
    expect(parseProfile({}, { file: "p.json" })).toEqual({});
  });

  it.each<[title: string, profile: unknown, pointer: string]>([
    ["what is no object", [], ""],
    ["an unknown key", { openeners: [] }, "/openeners"],
    ["an unknown key inside", { calls: { paralel: true } }, "/calls/paralel"],
    ["half of the marks", { reasoning: { marks: { start: "<think>" } } }, "/reasoning/marks"],
    ["a share above one", { diet: { share: 2 } }, "/diet/share"],
    ["a temperature below zero", { sampling: { call: { temperature: -1 } } }, "/sampling/call/temperature"],
    ["no attempts at all", { retry: { attempts: 0 } }, "/retry/attempts"],
    ["a cache that is not offered", { runtime: { kv: "q8_0" } }, "/runtime/kv"],
    ["a spacing that is none", { calls: { spacing: "wide" } }, "/calls/spacing"],
  ])("refuses %s, with the place", (_title, profile, pointer) => {
    expect(() => parseProfile(profile, { file: "p.json", pointer: "/profiles/x" })).toThrowError(
      expect.objectContaining({ code: "profile-invalid", pointer: `/profiles/x${pointer}` }),
    );
  });
});

describe("resolveProfile", () => {
  it("merges objects, replaces arrays whole, and changes nothing it was given", () => {
    const first = { openers: ["a", "b"], calls: { parallel: false, stringLimit: 10 } };
    const before = structuredClone(first);
    const profile = resolveProfile(first, { openers: ["c"], calls: { stringLimit: 20 } });
    expect(profile.openers).toEqual(["c"]);
    expect(profile.calls).toMatchObject({ parallel: false, stringLimit: 20, keyOrder: "schema" });
    expect(first).toEqual(before);
    expect(defaultProfile.calls.stringLimit).toBe(4000);
  });
});
