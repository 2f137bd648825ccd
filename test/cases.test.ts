// The cases of real users' failures: none was changed, each kind has its runner, and what is not covered yet is printed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loopCasesLeftOut } from "./agent/loop-cases-left-out.ts";
import { contextCasesLeftOut } from "./context/context-cases-left-out.ts";

const folder = fileURLToPath(new URL("./cases/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

/** Which test executes the cases of a kind; without one, the parts they speak of are not built yet. */
const runners: Readonly<Record<string, string | undefined>> = {
  "model-output": "decode/model-output-cases.test.ts",
  schema: "schema-grammar/schema-cases.test.ts",
  loop: "agent/loop-cases.test.ts",
  http: "server/http-cases.test.ts",
  context: "context/context-cases.test.ts",
};

/** Cases of a kind with a runner that the runner cannot execute yet, with the reason. */
const leftOut: Readonly<Record<string, string>> = { ...loopCasesLeftOut, ...contextCasesLeftOut };

function kindOf(file: string): string {
  return JSON.parse(readFileSync(path.join(folder, file), "utf8")).kind;
}

test("no case was changed, added or taken away", () => {
  const listed = readFileSync(path.join(folder, "SHA256SUMS"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/\s+\*?/) as [string, string]);
  const found = files.map((name) => {
    const hash = createHash("sha256").update(readFileSync(path.join(folder, name)));
    return [hash.digest("hex"), name];
  });
  const byName = (a: readonly string[], b: readonly string[]) => ((a[1] ?? "") < (b[1] ?? "") ? -1 : 1);
  expect(found.sort(byName)).toEqual(listed.sort(byName));
  expect(files).toHaveLength(109);
});

test("every kind of case is known, and its runner is there", () => {
  const kinds = new Set(files.map(kindOf));
  expect([...kinds].filter((kind) => !(kind in runners))).toEqual([]);
  const missing = Object.values(runners).filter(
    (runner) => runner !== undefined && !existsSync(fileURLToPath(new URL(runner, import.meta.url))),
  );
  expect(missing).toEqual([]);
});

test("what is not covered yet is said", () => {
  const open = files.flatMap((file) => {
    const id = file.replace(/\.json$/, "");
    const kind = kindOf(file);
    if (id in leftOut) return [`${id}: ${leftOut[id]}`];
    return runners[kind] === undefined ? [`${id}: no runner for ${kind} cases yet`] : [];
  });
  process.stdout.write(`${files.length - open.length} of ${files.length} cases are executed; not yet:\n`);
  for (const line of open) process.stdout.write(`  ${line}\n`);
  expect(Object.keys(leftOut).filter((id) => !files.includes(`${id}.json`))).toEqual([]);
});
