// Packs the package, installs it into an empty folder and uses it there as anybody would.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { root, runNode, runNpm } from "./prepare.mjs";

/** Runs all checks of the package; gives how many passed and failed. */
export function checkPackage() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "callwright-package-"));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    const tarball = pack(folder);
    const home = installInto(path.join(folder, "app"), tarball);
    for (const [name, check] of checks(home, tarball)) {
      try {
        check();
        counts.passed += 1;
        process.stdout.write(` ✓ package: ${name}\n`);
      } catch (error) {
        counts.failed += 1;
        process.stdout.write(` ✗ package: ${name}: ${error.message}\n`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return counts;
}

function pack(folder) {
  const out = runNpm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { capture: true });
  return path.join(folder, JSON.parse(out)[0].filename);
}

function installInto(home, tarball) {
  mkdirSync(home);
  // Our own strictness about install scripts reaches the npm that we start, so the empty folder has to answer it too.
  const manifest = { private: true, type: "module", allowScripts: { "node-llama-cpp": true } };
  writeFileSync(path.join(home, "package.json"), `${JSON.stringify(manifest)}\n`);
  runNpm(["install", tarball, "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: home,
  });
  return home;
}

function checks(home, tarball) {
  const evaluate = (code) =>
    runNode(["--input-type=module", "-e", code], { cwd: home, capture: true }).trim();
  const binary = path.join(home, "node_modules", "callwright", "dist", "cli", "main.js");
  const expect = (came, wanted) => {
    if (came !== wanted) throw new Error(`expected ${JSON.stringify(wanted)}, came ${JSON.stringify(came)}`);
  };
  return [
    [
      'import "callwright"',
      () =>
        expect(
          evaluate(
            'import { createEngine, defineTool, CallwrightError } from "callwright"; console.log(typeof createEngine, typeof defineTool, new CallwrightError("aborted", "x").code)',
          ),
          "function function aborted",
        ),
    ],
    [
      'import "callwright/schema-grammar"',
      () =>
        expect(
          evaluate(
            'import { compileSchema } from "callwright/schema-grammar"; const { satisfiable, exact } = compileSchema({ enum: ["a", "b"] }); console.log(satisfiable, exact)',
          ),
          "true true",
        ),
    ],
    [
      'import "callwright/gbnf-builder"',
      () =>
        expect(
          evaluate(
            'import { acceptsText, parseGbnf } from "callwright/gbnf-builder"; const grammar = parseGbnf(`root ::= "a"+`); console.log(acceptsText(grammar, "aaa"), acceptsText(grammar, "ab"))',
          ),
          "true false",
        ),
    ],
    [
      'import "callwright/ai-sdk"',
      () =>
        expect(
          evaluate(
            'import { createCallwright } from "callwright/ai-sdk"; console.log(createCallwright().languageModel().specificationVersion)',
          ),
          "v3",
        ),
    ],
    [
      "the binary says its version",
      () => expect(runNode([binary, "--version"], { cwd: home, capture: true }).trim(), "0.1.0"),
    ],
    [
      "the binary compiles a schema",
      () => {
        writeFileSync(path.join(home, "schema.json"), '{ "type": "boolean" }');
        writeFileSync(path.join(home, "value.json"), "true\n");
        const args = ["grammar", "schema.json", "--accepts", "value.json"];
        expect(runNode([binary, ...args], { cwd: home, capture: true }).trim(), "accepted");
      },
    ],
    [
      "the binary lists the shipped models",
      () => {
        const list = runNode([binary, "models", "list"], { cwd: home, capture: true });
        if (!list.includes("qwen2.5-coder-0.5b-instruct-q4_k_m"))
          throw new Error("the default model is not listed");
      },
    ],
    ["publint", () => runNode(["node_modules/publint/src/cli.js", tarball, "--strict"], { cwd: root })],
    [
      "attw",
      () =>
        runNode(["node_modules/@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only"], {
          cwd: root,
        }),
    ],
  ];
}
