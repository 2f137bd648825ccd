// `npm run conformance`: real clients against `callwright serve`, each group with packages and a lock of its own. Checks of
// the wire with a scripted model, and one whole loop of tools with real weights. The last line counts both.
// Options: --scripted leaves the weights out, --built takes dist as it is, names of groups run only those.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { prepare, root, runNode, runNpm, say } from "../scripts/prepare.mjs";

/** The model of the whole loops, which `npm test` has as well. */
const realModel = "qwen2.5-coder-0.5b-instruct-q4_k_m";
/** OpenCode's own instructions alone take two thousand tokens. */
const realWindow = "8192";
const groups = ["openai", "anthropic", "ai-sdk", "langchain", "agents", "ollama", "opencode"];

/**
 * Its lock does not name the packages of other platforms, for the registry that wrote it has them not, and such a lock is
 * refused by `npm ci`. All it needs is pinned by what needs it.
 */
const lockedByVersions = ["opencode"];

const args = process.argv.slice(2);
const chosen = groups.filter((group) => args.includes(group));
const wantsWeights = !args.includes("--scripted");
const unknown = args.filter((arg) => !["--scripted", "--built", ...groups].includes(arg));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(", ")}. Groups: ${groups.join(", ")}; options: --scripted, --built.\n`,
  );
  process.exit(2);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
let server;
try {
  if (!args.includes("--built")) prepare();
  if (wantsWeights) server = await startRealServer();
  for (const group of chosen.length > 0 ? chosen : groups) runGroup(group);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  counts.failed += 1;
} finally {
  server?.child.kill("SIGTERM");
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

function runGroup(group) {
  say(group);
  const folder = path.join(root, "conformance", group);
  try {
    install(folder, lockedByVersions.includes(group) ? ["install", "--no-save"] : ["ci"]);
  } catch (error) {
    process.stderr.write(`${group}: ${error.message}\n`);
    counts.failed += 1;
    return;
  }
  const env = { ...process.env };
  delete env.CONFORMANCE_REAL_URL;
  if (server !== undefined) {
    Object.assign(env, { CONFORMANCE_REAL_URL: server.url, CONFORMANCE_REAL_MODEL: realModel });
  }
  const file = path.join(folder, `${group}.test.mjs`);
  const run = spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1e8,
  });
  const [passed, failed, cancelled, skipped] = ["pass", "fail", "cancelled", "skipped"].map((name) =>
    Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(run.stdout)?.[1] ?? 0),
  );
  counts.passed += passed;
  counts.skipped += skipped;
  // A file that cannot even be loaded fails without a failed test.
  counts.failed += Math.max(failed + cancelled, run.status === 0 ? 0 : 1);
  if (run.status === 0) say(`${group}: ${passed} passed, ${skipped} skipped`);
  else process.stderr.write(run.stdout);
}

/** Installs what the lock says, once for each lock. */
function install(folder, command) {
  const lock = createHash("sha256")
    .update(readFileSync(path.join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = path.join(folder, "node_modules", ".callwright-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  runNpm([...command, "--no-audit", "--no-fund"], { cwd: folder });
  writeFileSync(stamp, lock);
}

/** `callwright serve` as a user starts it; the model is fetched where it is missing. */
async function startRealServer() {
  const cli = path.join(root, "dist", "cli", "main.js");
  runNode([cli, "models", "pull", realModel, "--source", "wheels"]);
  say(`serving ${realModel}`);
  const child = spawn(
    process.execPath,
    [cli, "serve", "--model", realModel, "--ctx", realWindow, "--port", "0"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  process.once("exit", () => child.kill("SIGKILL"));
  let said = "";
  const url = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`callwright serve ended at its start (code ${code})`)));
    child.stdout.on("data", (text) => {
      said += text;
      const found = / at (http:\/\/\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
  });
  return { child, url };
}
