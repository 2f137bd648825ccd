// Makes a clone ready: packages installed as the lock says, dist built from the sources as they are.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const buildStamp = path.join(root, "node_modules", ".cache", "callwright", "build");

/** Installs and builds what is missing or stale. Throws where a step fails. */
export function prepare() {
  if (!isInstalled()) {
    say("installing packages");
    runNpm(["ci", "--no-audit", "--no-fund"]);
  }
  const hash = hashSources();
  if (isBuilt(hash)) return;
  say("building");
  rmSync(path.join(root, "dist"), { recursive: true, force: true });
  runNode([path.join("node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"]);
  mkdirSync(path.dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, hash);
}

/** A line for people, apart from what a command prints. */
export function say(text) {
  process.stderr.write(`── ${text}\n`);
}

/** Runs npm, as the one that started us where there is one. Throws where it fails. */
export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath;
  // npm is a script on Windows, which only a shell can start.
  if (npm === undefined) return run("npm", args, { shell: process.platform === "win32", ...options });
  return runNode([npm, ...args], options);
}

/** Runs a script with this Node. Throws where it fails; gives its stdout where `capture` is set. */
export function runNode(args, options = {}) {
  return run(process.execPath, args, options);
}

function run(command, args, { capture = false, cwd = root, shell = false, env = process.env } = {}) {
  const stdio = capture ? ["ignore", "pipe", "inherit"] : "inherit";
  const done = spawnSync(command, args, { cwd, shell, env, stdio, encoding: "utf8", maxBuffer: 1e9 });
  if (done.error) throw done.error;
  if (done.status !== 0) {
    const error = new Error(
      `${path.basename(command)} ${args.map((arg) => path.basename(arg)).join(" ")} failed`,
    );
    error.status = done.status ?? 1;
    throw error;
  }
  return done.stdout ?? "";
}

/** Whether node_modules holds what the lock lists; packages for other platforms may be missing. */
function isInstalled() {
  const wanted = readJson(path.join(root, "package-lock.json"));
  const found = readJson(path.join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined || found === undefined) return false;
  return Object.entries(wanted.packages).every(([name, entry]) => {
    if (name === "") return true;
    const present = found.packages[name];
    return present === undefined ? entry.optional === true : present.version === entry.version;
  });
}

function isBuilt(hash) {
  if (!existsSync(path.join(root, "dist", "index.js")) || !existsSync(buildStamp)) return false;
  return readFileSync(buildStamp, "utf8") === hash;
}

function hashSources() {
  const hash = createHash("sha256");
  const files = ["tsconfig.json", "tsconfig.build.json", "package-lock.json"];
  const sources = readdirSync(path.join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  for (const file of [...files, ...sources]) hash.update(file).update(readFileSync(path.join(root, file)));
  return hash.digest("hex");
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
