// What CI runs: all tests, then the conformance of real clients. The last line counts what passed, failed and was skipped
// in both.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const total = { passed: 0, failed: 0, skipped: 0 };
for (const script of ["test", "conformance"]) {
  const { code, counts } = await runCounted(script);
  total.passed += counts.passed;
  total.skipped += counts.skipped;
  // One that ends in an error without a count has failed all the same.
  total.failed += code === 0 ? counts.failed : Math.max(1, counts.failed);
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Runs one of the package's scripts, whose last line counts, and passes on what it prints. */
function runCounted(script) {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["run", script], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let tail = "";
    child.stdout.on("data", (text) => {
      process.stdout.write(text);
      tail = (tail + text).slice(-2_000);
    });
    child.once("error", reject);
    child.once("close", (code) => {
      const last = [...tail.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
      const [passed = 0, failed = 1, skipped = 0] = last?.slice(1).map(Number) ?? [];
      resolve({ code, counts: { passed, failed, skipped } });
    });
  });
}
