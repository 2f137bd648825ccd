import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { undoChanges } from "../../src/agent/undo-changes.ts";
import { openJournal } from "../../src/journal/index.ts";
import { changingTools, openWorkspace, ToolFailure, type Workspace } from "../../src/tools/index.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";
import { createRandom } from "../journal/crash-draws.ts";
import { toolContext } from "../tools/tool-context.ts";

let folder: string;
let workspace: Workspace;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-undo-"));
  mkdirSync(path.join(folder, "work"));
  workspace = await openWorkspace(path.join(folder, "work"));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

function snapshot(): Readonly<Record<string, string>> {
  const files = readdirSync(workspace.root, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(workspace.root, name))
    .filter((file) => statSync(file).isFile());
  return Object.fromEntries(
    files.sort().map((file) => [workspace.display(file), readFileSync(file).toString("base64")]),
  );
}

/** Opens the session as a new process does. */
async function inSession<Result>(
  id: string | undefined,
  work: (
    use: (name: string, callId: string, input: JsonObject) => Promise<void>,
    undo: () => Promise<unknown>,
  ) => Promise<Result>,
): Promise<{ id: string; result: Result }> {
  const journal = openJournal({ folder: path.join(folder, "journal") });
  try {
    const session = id ?? journal.createSession({ workspace: workspace.root });
    const result = await journal.withSession(session, {}, (held) => {
      const tools = changingTools(workspace, { environment: {}, changes: { record: held.recordChange } });
      const use = async (name: string, callId: string, input: JsonObject) => {
        const tool = tools.find((candidate) => candidate.name === name);
        await tool?.execute?.(input, { ...toolContext(), callId });
      };
      return work(use, () => undoChanges(workspace, held));
    });
    return { id: session, result };
  } finally {
    journal.close();
  }
}

describe("undo", () => {
  test.each(Array.from({ length: 50 }, (_, at) => at + 1))(
    "brings back every byte, sequence %i",
    async (seed) => {
      const random = createRandom(seed);
      const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
      const names = ["a.txt", "sub/b.txt", "c.bin"];
      writeFileSync(
        path.join(workspace.root, "a.txt"),
        pick(["one\ntwo\n", "\uFEFFone\r\ntwo\r\n", "", "é"]),
      );
      if (random() < 0.5) writeFileSync(path.join(workspace.root, "c.bin"), pick(["x\ny", "\t"]));
      const states = [snapshot()];
      let number = 0;
      let id: string | undefined;
      for (let process = 0; process < 2; process += 1) {
        const { id: same } = await inSession(id, async (use) => {
          for (let step = 0; step < 3; step += 1) {
            const name = pick(names);
            number += 1;
            const isThere = workspace.root !== undefined && name in snapshot();
            if (isThere) await use("read_file", "read", { path: name });
            const before = snapshot();
            await use("write_file", `c${number}`, {
              path: name,
              content: `${number}\n${pick(["", "a\r\n", "ü"])}`,
            });
            if (JSON.stringify(before) !== JSON.stringify(snapshot())) states.push(snapshot());
          }
        });
        id = same;
      }
      // A third process takes everything back, one call at a time.
      await inSession(id, async (_, undo) => {
        for (const state of states.slice(0, -1).reverse()) {
          expect(await undo()).toBeDefined();
          expect(snapshot()).toEqual(state);
        }
        expect(await undo()).toBeUndefined();
      });
    },
  );

  test("leaves what somebody else changed since", async () => {
    const file = path.join(workspace.root, "a.txt");
    const { id } = await inSession(undefined, (use) =>
      use("write_file", "c1", { path: "a.txt", content: "ours" }),
    );
    writeFileSync(file, "theirs");
    await inSession(id, async (_, undo) => {
      await expect(undo()).rejects.toThrow(ToolFailure);
      expect(readFileSync(file, "utf8")).toBe("theirs");
    });
  });

  test("does again what a crash cut off half-way", async () => {
    const { id } = await inSession(undefined, (use) =>
      use("write_file", "c1", { path: "a.txt", content: "ours" }),
    );
    // The file was put back already; that it was is not noted.
    rmSync(path.join(workspace.root, "a.txt"));
    await inSession(id, async (_, undo) => {
      expect(await undo()).toEqual({ callId: "c1", paths: ["a.txt"] });
      expect(await undo()).toBeUndefined();
    });
  });
});
