// The TypeScript shown in the README and in docs/ compiles against the sources, as a program of its own each.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "callwright-snippets-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every snippet compiles", () => {
  const snippets = ["README.md", "docs/library.md", "docs/server.md"].flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  });
  expect(snippets.length).toBeGreaterThanOrEqual(6);
  for (const [at, code] of snippets.entries()) writeFileSync(path.join(folder, `snippet-${at}.mts`), code);
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const entry = (name: string) => [path.join(root, "src", name, "index.ts")];
  const config = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: {
      noUnusedLocals: false,
      paths: {
        callwright: entry(""),
        "callwright/gbnf-builder": entry("gbnf-builder"),
        "callwright/schema-grammar": entry("schema-grammar"),
        "callwright/server": entry("server"),
      },
    },
    include: ["*.mts"],
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
