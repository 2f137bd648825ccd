// Templates are tried in a process of their own. More of those that hang, exhaust or crash it: test/with-model/.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseFormats } from "../../../src/formats/index.ts";
import { openRenderer } from "../../../src/models/local/open-renderer.ts";
import { templateFault } from "../../../src/models/local/try-template.ts";
import { loadLlamaEngine } from "../../formats/llama-engine.ts";
import { bareTemplate } from "../../formats/templates-for-test.ts";
import { readTemplate } from "../../llama-cpp-files.ts";

interface Tried {
  /** What is said against the template. */
  readonly fault: (more?: { readonly signal?: AbortSignal }) => Promise<string | undefined>;
  readonly verdicts: () => Promise<readonly string[]>;
}

async function trialOf(template: string): Promise<Tried> {
  const home = await createHome();
  const task = { template, beginText: "<s>", endText: "</s>", home, engine: "some version", cpuLimit: 500 };
  return {
    fault: (more = {}) => templateFault({ ...task, ...more }),
    verdicts: async () =>
      (await readdir(join(home, "templates"))).map((name) => join(home, "templates", name)),
  };
}

async function createHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "callwright-templates-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

describe.concurrent("a template is not rendered here where", () => {
  it("its trial never ends", async () => {
    const { fault, verdicts } = await trialOf("{% for i in range(1000000000) %}{% endfor %}");
    expect(await fault()).toBe("in its trial it took more than 0.5 s");
    // The verdict is what a later start reads.
    await writeFile((await verdicts())[0] ?? "", '{"fault":"as it was"}');
    expect(await fault()).toBe("as it was");
  });

  it("it is longer than any template", async () => {
    const { fault } = await trialOf(" ".repeat(300_000));
    expect(await fault()).toBe("it has 300000 characters, more than 262144");
  });
});

describe.concurrent("a template that does no harm", () => {
  it("is tried once, and again where the verdict is damaged", async () => {
    const { fault, verdicts } = await trialOf(bareTemplate);
    expect(await fault()).toBeUndefined();
    const [path = "", ...others] = await verdicts();
    expect(others).toEqual([]);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ fault: null });
    await writeFile(path, '{"fault": nu');
    expect(await fault()).toBeUndefined();
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ fault: null });
    expect(await verdicts()).toEqual([path]);
  });

  it("needs no trial where it is a known one, to the byte", async () => {
    const { fault, verdicts } = await trialOf(readTemplate("Qwen-Qwen3-0.6B"));
    expect(await fault()).toBeUndefined();
    await expect(verdicts()).rejects.toThrow(/ENOENT/);
  });

  it("is not tried to the end where the caller gives up", async () => {
    const { fault, verdicts } = await trialOf(bareTemplate);
    await expect(fault({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    await expect(verdicts()).rejects.toThrow(/ENOENT/);
  });
});

describe.concurrent("a model with a template that failed its trial", () => {
  it("gets the generic format, and it is said why", async () => {
    const template = `{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}<tool_call>{{ messages[0].content }}`;
    const home = await createHome();
    const render = await openRenderer({
      template,
      beginText: "",
      endText: "",
      home,
      engine: await loadLlamaEngine(),
      engineVersion: "some version",
    });
    const choice = chooseFormats({
      model: { id: "some-model", template, specialTokens: [] },
      profile: { name: "unknown", format: "auto", openers: [] },
      render,
    });
    expect(choice.formats[0].name).toBe("plain-json");
    expect(choice.template.isPlain).toBe(true);
    expect(choice.fallback).toMatch(/^in its trial it ended the process/);
    expect(choice.reason).toContain(choice.fallback);
  });
});

describe("a template that cannot be tried", () => {
  it("is not used, which is said, and is tried again at the next start", async () => {
    const { fault, verdicts } = await trialOf(bareTemplate);
    const { execPath } = process;
    process.execPath = "/nowhere/node";
    try {
      expect(await fault()).toMatch(/^it could not be tried in a process of its own: .*ENOENT/);
    } finally {
      process.execPath = execPath;
    }
    await expect(verdicts()).rejects.toThrow(/ENOENT/);
  });
});
