// The chat templates and vocabularies of llama.cpp's own tests, out of the source bundle inside node-llama-cpp's package.
// Taken out once, by the first test that asks, into a folder that git ignores; nothing of it is committed.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const vocabularies = [
  "deepseek-llm",
  "gemma-4",
  "gpt-2",
  "llama-bpe",
  "llama-spm",
  "phi-3",
  "qwen2",
  "qwen35",
] as const;

/** A vocabulary without weights: enough to tokenize, and to test what a grammar allows token by token. */
export type VocabularyName = (typeof vocabularies)[number];

/** One vocabulary of each family that tokenizes in its own way. */
export const testedVocabularies = [
  "qwen2",
  "llama-bpe",
  "gemma-4",
  "phi-3",
  "gpt-2",
] as const satisfies readonly VocabularyName[];

/** Names of the chat templates, without their ending, in alphabetical order. */
export function templateNames(): readonly string[] {
  const files = readdirSync(path.join(takeOut(), "templates"));
  return files.flatMap((file) => (file.endsWith(".jinja") ? [path.basename(file, ".jinja")] : [])).sort();
}

/** The text of a chat template. */
export function readTemplate(name: string): string {
  return readFileSync(path.join(takeOut(), "templates", `${name}.jinja`), "utf8");
}

/** The path of a GGUF file that holds a vocabulary and no weights. */
export function vocabularyPath(name: VocabularyName): string {
  return path.join(takeOut(), `ggml-vocab-${name}.gguf`);
}

let known: string | undefined;

function takeOut(): string {
  known ??= findOrTakeOut();
  return known;
}

function findOrTakeOut(): string {
  const source = path.join(
    path.dirname(createRequire(import.meta.url).resolve("node-llama-cpp")),
    "..",
    "llama",
  );
  const { tag } = JSON.parse(readFileSync(path.join(source, "llama.cpp.info.json"), "utf8"));
  const cache = fileURLToPath(new URL("../.callwright/", import.meta.url));
  const folder = path.join(cache, `llama-cpp-${tag}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(path.join(cache, "llama-cpp-"));
  try {
    const bundle = path.join(source, "gitRelease.bundle");
    git(["clone", "--quiet", "--no-checkout", bundle, scratch], cache);
    const files = ["models/templates", ...vocabularies.map((name) => `models/ggml-vocab-${name}.gguf`)];
    git(["checkout", "--quiet", "HEAD", "--", ...files], scratch);
    putInPlace(path.join(scratch, "models"), folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}

/** One of several processes at once is the first; the others find its folder there. */
function putInPlace(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

function git(args: readonly string[], folder: string): void {
  // Within a hook of git, its variables would point at this repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  execFileSync("git", args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
}
