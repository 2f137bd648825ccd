// Guards of the layout: who imports whom, one importer for each package, what is exported, what the README names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createProgram } from "../src/cli/program.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** From left to right: each imports only from itself and what stands before it. */
const order = [
  "vocabulary",
  "gbnf-builder",
  "schema-grammar",
  "wire",
  "formats",
  "models",
  "context",
  "decode",
  "tools",
  "journal",
  "agent",
  "engine.ts",
  "ai-sdk",
  "index.ts",
  "bench",
  "server",
  "cli",
];

const sources = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => file.split(path.sep).join("/"))
  .filter((file) => file.endsWith(".ts"))
  .sort();

interface Import {
  readonly from: string;
  readonly target: string;
}

const imports: readonly Import[] = sources.flatMap((from) => {
  const code = read(`src/${from}`).replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const found = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([\w@./:-]+)"/g);
  return [...found].map(([, target]) => ({ from, target: target ?? "" }));
});

const folderOf = (file: string) => file.split("/")[0] ?? "";

function targetFile({ from, target }: Import): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), target));
}

const ownImports = imports.filter(({ target }) => target.startsWith("."));
const packageImports = imports.filter(({ target }) => !target.startsWith(".") && !target.startsWith("node:"));

describe("imports", () => {
  test("are found at all", () => {
    expect(ownImports.length).toBeGreaterThan(100);
    expect(packageImports.length).toBeGreaterThan(5);
  });

  test("every folder has its place in the order", () => {
    expect([...new Set(sources.map(folderOf))].filter((folder) => !order.includes(folder))).toEqual([]);
  });

  test("go only to the left", () => {
    const wrong = ownImports.filter((entry) => {
      const target = folderOf(targetFile(entry));
      return order.indexOf(target) > order.indexOf(folderOf(entry.from));
    });
    expect(wrong).toEqual([]);
  });

  test("never go back to the library's entry", () => {
    expect(ownImports.filter((entry) => targetFile(entry) === "index.ts")).toEqual([]);
  });

  test("name files that exist, with their ending", () => {
    const wrong = ownImports.filter((entry) => !sources.includes(targetFile(entry)));
    expect(wrong).toEqual([]);
  });

  test("of each package stand in exactly one file", () => {
    const importers = new Map<string, Set<string>>();
    for (const { from, target } of packageImports) {
      const name = target
        .split("/")
        .slice(0, target.startsWith("@") ? 2 : 1)
        .join("/");
      importers.set(name, (importers.get(name) ?? new Set()).add(from));
    }
    const several = [...importers].filter(([, files]) => files.size > 1);
    expect(several.map(([name, files]) => `${name}: ${[...files].join(", ")}`)).toEqual([]);
    const declared = Object.keys(JSON.parse(read("package.json")).dependencies);
    expect([...importers.keys()].filter((name) => !declared.includes(name))).toEqual([]);
  });

  test("of the server stand in commands only where these run it, so that the others do not load it", () => {
    const statics = sources.flatMap((from) => {
      if (folderOf(from) !== "cli") return [];
      const found = read(`src/${from}`).matchAll(/^import (?!type).*from "([^"]+)"/gm);
      return [...found].filter(([, target = ""]) => target.includes("/server/")).map(() => from);
    });
    expect(statics).toEqual([]);
  });

  test("leave gbnf-builder without any dependency", () => {
    const outside = imports.filter(({ from, target }) => {
      if (folderOf(from) !== "gbnf-builder") return false;
      return !target.startsWith(".") || folderOf(targetFile({ from, target })) !== "gbnf-builder";
    });
    expect(outside).toEqual([]);
  });
});

describe("each source file", () => {
  test("begins with a header that says what it is for", () => {
    // A folder's index only lists what the folder gives.
    const without = sources.filter((file) => {
      if (file.endsWith("/index.ts")) return false;
      const [first = "", second = ""] = read(`src/${file}`).split("\n");
      return !(first.startsWith("#!") ? second : first).startsWith("//");
    });
    expect(without).toEqual([]);
  });

  test("exports by name", () => {
    expect(sources.filter((file) => /^export \*/m.test(read(`src/${file}`)))).toEqual([]);
  });

  test("leaves the environment to cli/ and to the file that finds folders", () => {
    const readers = sources.filter((file) => /\bprocess\.env\b/.test(read(`src/${file}`)));
    const wrong = readers.filter((file) => folderOf(file) !== "cli" && file !== "models/home-folder.ts");
    expect(wrong).toEqual([]);
  });
});

describe("the package", () => {
  const { exports, bin, scripts } = JSON.parse(read("package.json"));

  test("points only at files that are built", () => {
    const targets = [...Object.values<Record<string, string> | string>(exports), bin].flatMap((entry) =>
      typeof entry === "string" ? [] : Object.values<string>(entry),
    );
    const wanted = targets.map((file) => file.replace(/^(\.\/)?dist\//, "").replace(/(\.d)?\.[jt]s$/, ".ts"));
    expect(wanted.length).toBeGreaterThan(3);
    expect(wanted.filter((file) => !sources.includes(file))).toEqual([]);
  });

  test("gives what the design promises", async () => {
    const library = await import("../src/index.ts");
    const grammar = await import("../src/gbnf-builder/index.ts");
    const schema = await import("../src/schema-grammar/index.ts");
    const server = await import("../src/server/index.ts");
    const promised = {
      library: ["createEngine", "defineTool", "CallwrightError"].filter((name) => !(name in library)),
      grammar: ["printGbnf", "parseGbnf", "createMatcher", "acceptsText", "createTokenTrie"].filter(
        (name) => !(name in grammar),
      ),
      schema: ["compileSchema", "writeInstance"].filter((name) => !(name in schema)),
      server: ["createApp", "serve"].filter((name) => !(name in server)),
    };
    expect(promised).toEqual({ library: [], grammar: [], schema: [], server: [] });
  });

  test("has the README's scripts", () => {
    const named = [...read("README.md").matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name ?? "");
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("the README", () => {
  test("names only files and folders that exist", () => {
    const named = read("README.md").matchAll(
      /(?<![\w/.-])((?:src|test|scripts|bench|grammars|docs)\/[\w./-]*[\w/]|[\w.]+\.(?:json|md))(?![\w*])/g,
    );
    const paths = [...new Set([...named].map(([, name]) => name ?? ""))];
    const missing = paths.filter((name) => name.includes("/") && !existsSync(path.join(root, name)));
    expect(paths.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });

  test("has every folder of src/ in its map", () => {
    const text = read("README.md");
    const folders = [...new Set(sources.map(folderOf))].filter((folder) => !folder.endsWith(".ts"));
    expect(folders.filter((folder) => !text.includes(`${folder}/`))).toEqual([]);
  });

  test("shows only commands and options that there are", () => {
    const program = createProgram();
    const commands = new Map(
      program.commands.flatMap((command) => [
        [command.name(), command] as const,
        ...command.commands.map((inner) => [`${command.name()} ${inner.name()}`, inner] as const),
      ]),
    );
    const lines = read("README.md").matchAll(/(?:^|`)(?:\$ |npx )?callwright ([a-z][^`\n]*)/gm);
    const wrong: string[] = [];
    for (const [, line = ""] of lines) {
      const words = line.split(/\s+/);
      const command = commands.get(words.slice(0, 2).join(" ")) ?? commands.get(words[0] ?? "");
      const options = line.replace(/"[^"]*"/g, "").match(/--[a-z-]+/g) ?? [];
      const known = command?.options.map((option) => option.long) ?? [];
      if (command === undefined || options.some((option) => !known.includes(option))) wrong.push(line);
    }
    expect(wrong).toEqual([]);
  });
});
