// Chat templates that hang, exhaust or crash whatever renders them. Needs no weights; each costs a process of its own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { templateFault } from "../../src/models/local/try-template.ts";

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-templates-"));
});

afterAll(() => rm(home, { recursive: true, force: true }));

const nested = `${"(".repeat(20_000)}1${")".repeat(20_000)}`;
const grow = (by: string) =>
  `{% set n = namespace(s='x') %}{% for i in range(60) %}{% set n.s = ${by} %}{% endfor %}{{ n.s }}`;

describe("a template's trial says what the template does", () => {
  it.each([
    ["nests too deeply", `{{ ${nested} }}`, /ended the process/],
    ["nests lists too deeply", `{{ ${"[".repeat(20_000)}1${"]".repeat(20_000)} }}`, /ended the process/],
    ["has a macro that calls itself", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", /ended the process/],
    [
      "loops in a loop",
      "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
      /took/,
    ],
    ["doubles a text", grow("n.s ~ n.s"), /took more than|ended the process/],
    ["doubles a list", grow("[n.s, n.s] | string"), /took more than|ended the process/],
    // llama.cpp's engine knows no `**`, so that the JavaScript one is asked.
    ["loops in the JavaScript engine", "{% for i in range(10**9) %}{% endfor %}", /took|ended the process/],
    [
      "loops for long conversations alone",
      "{% if messages | length > 9 %}{% for i in range(999999999) %}{% endfor %}{% endif %}",
      /took/,
    ],
    [
      "writes much of little",
      `{% for i in range(2000) %}${"x".repeat(1000)}{% endfor %}`,
      /it wrote 2000000 characters/,
    ],
  ])("it %s", async (_, template, reason) => {
    const task = { template, beginText: "<s>", endText: "</s>", home, engine: "some version" };
    expect(await templateFault({ ...task, cpuLimit: 2_000 })).toMatch(reason);
  });

  it("and comes back from one that only raises", async () => {
    const task = { beginText: "", endText: "", home, engine: "some version" };
    expect(await templateFault({ ...task, template: '{{ "x"*10**10 }}' })).toBeUndefined();
  });
});
