import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdConsole } from "../../../src/models/local/hold-console.ts";

const seen: unknown[] = [];

beforeEach(() => {
  seen.length = 0;
  vi.spyOn(console, "error").mockImplementation((...values) => seen.push(values));
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("lines of the runtime are held back and told where the action fails", async () => {
  const action = async () => {
    console.error("[node-llama-cpp] Failed to load a binary. Error:", new Error("killed\nsecond line"));
    console.error("somebody else's");
    throw new Error("none found");
  };
  const told = await holdConsole(action, (_, lines) => {
    throw lines;
  }).catch((lines: unknown) => lines);
  expect(told).toEqual([" Failed to load a binary. Error: killed"]);
  expect(seen).toEqual([["somebody else's"]]);
});

test("afterwards the console is as it was", async () => {
  const before = console.error;
  const fail = (error: unknown): never => {
    throw error;
  };
  expect(await holdConsole(async () => 3, fail)).toBe(3);
  expect(console.error).toBe(before);
  await holdConsole(() => Promise.reject(new Error("no")), fail).catch(() => undefined);
  expect(console.error).toBe(before);
});
