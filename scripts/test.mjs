// Every test there is: style, types, unit tests, tests with real weights, and the package as it is installed.
// Installs, builds and fetches what is missing first. The last line counts what passed, failed and was skipped.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkPackage } from "./check-package.mjs";
import { prepare, runNode, say } from "./prepare.mjs";

/** The models that the tests load. They come from the package registry, which every machine for tests reaches. */
const models = ["smollm2-135m-instruct-q4_1", "qwen2.5-coder-0.5b-instruct-q4_k_m"];

const counts = { passed: 0, failed: 0, skipped: 0 };
const reports = mkdtempSync(path.join(os.tmpdir(), "callwright-test-"));
try {
  step("prepare", prepare);
  for (const model of models) {
    step(`model ${model}`, () =>
      runNode(["dist/cli/main.js", "models", "pull", model, "--source", "wheels"]),
    );
  }
  step("style", () => runNode(["node_modules/@biomejs/biome/bin/biome", "check", "."]));
  step("types", () => runNode(["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]));
  runTests("unit");
  runTests("with-model");
  step("package", () => count(checkPackage()));
} finally {
  rmSync(reports, { recursive: true, force: true });
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** A step that fails is counted and does not hide what the others find. */
function step(name, action) {
  say(name);
  try {
    action();
  } catch (error) {
    process.stderr.write(`${name}: ${error.message}\n`);
    counts.failed += 1;
  }
}

function runTests(project) {
  const report = path.join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const failedBefore = counts.failed;
  step(`${project} tests`, () => {
    let failure;
    try {
      runNode(["node_modules/vitest/vitest.mjs", "run", "--project", project, ...reporters]);
    } catch (error) {
      failure = error;
    }
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    count({ passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests });
    // A file that cannot even be loaded fails without a failed test.
    if (failure !== undefined && counts.failed === failedBefore) throw failure;
  });
}

function count({ passed, failed, skipped }) {
  counts.passed += passed;
  counts.failed += failed;
  counts.skipped += skipped;
}
