// States of prompt beginnings on real weights: a second process starts from the file and says the same, and a file that
// is damaged, foreign or unusable is told and made anew.

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smallestModel } from "../../bench/verify/open-bench-model.ts";
import { createEngine } from "../../src/engine.ts";
import { findModel } from "../../src/models/find-model.ts";
import { homeFolder } from "../../src/models/home-folder.ts";

let home: string;
let path: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "callwright-home-"));
  path = (await findModel(smallestModel, { home: homeFolder() })).path;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const tools = ["weather", "train", "hotel"].map((name) => ({
  name: `find_${name}`,
  description: `Finds the ${name} that a traveller asks for, in the city and on the day that the request names.`,
  inputSchema: {
    type: "object",
    properties: { city: { enum: ["Oslo", "Rome", "Bern"] }, day: { enum: ["today", "tomorrow"] } },
    required: ["city", "day"],
  },
}));

/** A model that is opened for one call, as a new process would. */
async function callAnew(options: { readonly prompt?: string; readonly stateBytes?: number } = {}) {
  const { prompt = "How do I get to Rome tomorrow?", ...more } = options;
  const engine = createEngine({ model: path, home, contextSize: 2048, ...more });
  try {
    const { calls, usage, notices } = await engine.call({ prompt, tools, toolChoice: "required" });
    const told = notices.filter(({ code }) => code === "prefix-file").map(({ text }) => text);
    return { calls: calls.map(({ name, input }) => ({ name, input })), tokens: usage.tokens, told };
  } finally {
    await engine.close();
  }
}

const states = () => readdirSync(join(home, "states")).filter((name) => name.endsWith(".state"));
const statePath = () => join(home, "states", states()[0] ?? "");

describe("a state file", () => {
  it("spares a new process the tools, also for another question, and changes nothing of what is called", async () => {
    const without = await callAnew({ stateBytes: 0 });
    const first = await callAnew();
    expect(states()).toHaveLength(1);
    const second = await callAnew();
    const other = await callAnew({ prompt: "I need a bed in Bern." });
    expect(first.tokens.loaded).toBe(0);
    expect(second.tokens.loaded).toBeGreaterThan(200);
    expect(second.tokens.loaded + second.tokens.prefilled).toBe(first.tokens.prefilled);
    expect(second.tokens.prefilled).toBeLessThan(60);
    expect(other.tokens.loaded).toBe(second.tokens.loaded);
    expect(first.calls).toEqual(without.calls);
    expect(second.calls).toEqual(without.calls);
    expect([first, second, other].flatMap(({ told }) => told)).toEqual([]);
  });

  it("that is cut off, foreign or no state is told and made anew", async () => {
    const whole = await callAnew();
    const spoil: readonly (() => void)[] = [
      () => truncateSync(statePath(), 1000),
      () => {
        // A record that fits, so that only llama.cpp can tell.
        const text = "no state at all";
        const sha256 = createHash("sha256").update(text).digest("hex");
        writeFileSync(`${statePath()}.json`, JSON.stringify({ bytes: text.length, sha256 }));
        writeFileSync(statePath(), text);
      },
    ];
    for (const act of spoil) {
      act();
      const mended = await callAnew();
      expect(mended.told.join()).toMatch(/could not be used .* made anew/);
      expect(mended.tokens.loaded).toBe(0);
      expect(mended.calls).toEqual(whole.calls);
      const again = await callAnew();
      expect(again.tokens.loaded).toBe(whole.tokens.loaded);
      expect(again.calls).toEqual(whole.calls);
    }
    expect(readFileSync(statePath()).length).toBeGreaterThan(1_000_000);
  });
});
