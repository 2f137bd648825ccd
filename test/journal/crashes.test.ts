// A few runs of the crash matrix; `npm run verify:crashes` is the whole of it.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleChild, runCrashing } from "./crash-script.ts";

let folder: string;
let child: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-crash-child-"));
  child = await bundleChild(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a run that is killed at any step and resumed does everything, and nothing twice", () => {
  const runs = Array.from({ length: 6 }, (_, at) => runCrashing(child, at + 1));
  expect(runs.flatMap(({ faults }) => faults)).toEqual([]);
  expect(new Set(runs.flatMap(({ points }) => points)).size).toBeGreaterThanOrEqual(6);
});
