import { describe, expect, it } from "vitest";
import { typeValues } from "../../src/decode/type-values.ts";
import {
  createTurnParser,
  type Format,
  findFormat,
  formats,
  type OfferedTool,
} from "../../src/formats/index.ts";
import { acceptsText, createMatcher } from "../../src/gbnf-builder/index.ts";
import { jsonLayout, type Spacing } from "../../src/schema-grammar/index.ts";
import { noteTool, pingTool } from "./compiled-for-test.ts";

const note = { name: "note", input: { text: 'a "b"', n: -3 } };
const ping = { name: "ping", input: {} };
const typingTools = [noteTool(jsonLayout("spaced")), pingTool(jsonLayout("spaced"))];
/** Formats whose marks leave no room for a quote in a name. */
const withoutQuotes = new Set(["minicpm-xml", "glm-xml", "lfm-py", "gemma3-text", "smol3-code"]);

/** Calls as each format writes them, by the reference of the formats. */
const written: readonly { format: string; parallel: boolean; spacing: Spacing; text: string }[] = [
  {
    format: "hermes-json",
    parallel: false,
    spacing: "spaced",
    text: '<tool_call>\n{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}\n</tool_call>',
  },
  {
    format: "hermes-json",
    parallel: true,
    spacing: "compact",
    text: '<tool_call>\n{"name":"note","arguments":{"text":"a \\"b\\"","n":-3}}\n</tool_call>\n<tool_call>\n{"name":"ping","arguments":{}}\n</tool_call>',
  },
  {
    format: "json-fence",
    parallel: false,
    spacing: "spaced",
    text: '```json\n{\n  "name": "note",\n  "arguments": {\n    "text": "a \\"b\\"",\n    "n": -3\n  }\n}\n```',
  },
  {
    format: "json-fence",
    parallel: true,
    spacing: "spaced",
    text: '```json\n[\n  {\n    "name": "note",\n    "arguments": {\n      "text": "a \\"b\\"",\n      "n": -3\n    }\n  },\n  {\n    "name": "ping",\n    "arguments": {}\n  }\n]\n```',
  },
  {
    format: "json-fence",
    parallel: true,
    spacing: "compact",
    text: '```json\n[{"name":"note","arguments":{"text":"a \\"b\\"","n":-3}},{"name":"ping","arguments":{}}]\n```',
  },
  {
    format: "plain-json",
    parallel: false,
    spacing: "spaced",
    text: '{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}',
  },
  {
    format: "plain-json",
    parallel: true,
    spacing: { indent: 2, level: 0 },
    text: '{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}\n{"name": "ping", "arguments": {}}',
  },
  {
    format: "llama3-json",
    parallel: false,
    spacing: "spaced",
    text: '{"name": "note", "parameters": {"text": "a \\"b\\"", "n": -3}}',
  },
  {
    format: "llama3-json",
    parallel: true,
    spacing: "compact",
    text: '{"name":"note","parameters":{"text":"a \\"b\\"","n":-3}}; {"name":"ping","parameters":{}}',
  },
  {
    format: "mistral-args",
    parallel: true,
    spacing: "spaced",
    text: '[TOOL_CALLS]note[ARGS]{"text": "a \\"b\\"", "n": -3}[TOOL_CALLS]ping[ARGS]{}',
  },
  {
    format: "granite3",
    parallel: true,
    spacing: "spaced",
    text: '<|tool_call|>[{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}, {"name": "ping", "arguments": {}}]',
  },
  {
    format: "phi4",
    parallel: false,
    spacing: "compact",
    text: '<|tool_call|>[{"name":"note","arguments":{"text":"a \\"b\\"","n":-3}}]<|/tool_call|>',
  },
  {
    format: "json-list",
    parallel: true,
    spacing: "spaced",
    text: '[{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}, {"name": "ping", "arguments": {}}]',
  },
  {
    format: "hammer",
    parallel: true,
    spacing: "spaced",
    text: '```\n[{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}, {"name": "ping", "arguments": {}}]\n```',
  },
  {
    format: "smol2",
    parallel: true,
    spacing: "spaced",
    text: '<tool_call>[\n{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}},\n{"name": "ping", "arguments": {}}\n]</tool_call>',
  },
  {
    format: "smol3",
    parallel: true,
    spacing: "spaced",
    text: '<tool_call>{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}</tool_call>\n<tool_call>{"name": "ping", "arguments": {}}</tool_call>',
  },
  {
    format: "nemotron2",
    parallel: true,
    spacing: "spaced",
    text: '<TOOLCALL>[{"name": "note", "arguments": {"text": "a \\"b\\"", "n": -3}}, {"name": "ping", "arguments": {}}]</TOOLCALL>',
  },
  {
    format: "deepseek-r1",
    parallel: true,
    spacing: "spaced",
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>note\n```json\n{"text": "a \\"b\\"", "n": -3}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>ping\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    format: "harmony",
    parallel: false,
    spacing: "spaced",
    text: '<|channel|>commentary to=functions.note <|constrain|>json<|message|>{"text": "a \\"b\\"", "n": -3}<|call|>',
  },
  {
    format: "qwen-xml",
    parallel: true,
    spacing: "spaced",
    text: '<tool_call>\n<function=note>\n<parameter=text>\na "b"\n</parameter>\n<parameter=n>\n-3\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=ping>\n</function>\n</tool_call>',
  },
  {
    format: "minicpm-xml",
    parallel: true,
    spacing: "spaced",
    text: '<function name="note"><param name="text">a "b"</param><param name="n">-3</param></function>\n<function name="ping"></function>',
  },
  {
    format: "glm-xml",
    parallel: true,
    spacing: "spaced",
    text: '<tool_call>note\n<arg_key>text</arg_key>\n<arg_value>a "b"</arg_value>\n<arg_key>n</arg_key>\n<arg_value>-3</arg_value>\n</tool_call>\n<tool_call>ping\n</tool_call>',
  },
  {
    format: "lfm-py",
    parallel: true,
    spacing: "spaced",
    text: "<|tool_call_start|>[note(text='a \"b\"', n=-3), ping()]<|tool_call_end|>",
  },
  {
    format: "smol3-code",
    parallel: true,
    spacing: "spaced",
    text: "<code>note(text='a \"b\"', n=-3)\nping()</code>",
  },
  {
    format: "gemma4",
    parallel: true,
    spacing: "spaced",
    text: '<|tool_call>call:note{text:<|"|>a "b"<|"|>,n:-3}<tool_call|><|tool_call>call:ping{}<tool_call|>',
  },
  {
    format: "fn-gemma",
    parallel: false,
    spacing: "spaced",
    text: '<start_function_call>call:note{text:<escape>a "b"<escape>,n:-3}<end_function_call>',
  },
  {
    format: "gemma3-text",
    parallel: false,
    spacing: "spaced",
    text: "[note(text='a \"b\"', n=-3)]",
  },
];

function toolsFor(format: Format, options: { parallel: boolean; spacing: Spacing }): readonly OfferedTool[] {
  const layout = format.argumentsLayout(options);
  return [noteTool(layout), pingTool(layout)];
}

function grammarOf(format: Format, options: { parallel: boolean; spacing: Spacing }) {
  return format.constraint({ ...options, tools: toolsFor(format, options) }).grammar;
}

function behindOpener(format: Format, text: string): string {
  const opener = format.openers[0]?.text ?? "";
  expect(text.startsWith(opener)).toBe(true);
  return text.slice(opener.length);
}

function readCalls(format: Format, text: string) {
  const parser = createTurnParser({ formats: [format] });
  return [...parser.push(text), ...parser.finish()];
}

function callsOf(events: ReturnType<typeof readCalls>) {
  return events.flatMap((event) => {
    if (event.type !== "call-end") return [];
    const { name, input } = event.untyped === true ? typeValues(event, typingTools) : event;
    return [{ name, input }];
  });
}

describe("the bytes of each format", () => {
  for (const { format: name, text, ...options } of written) {
    const format = findFormat(name);
    const calls = options.parallel ? [note, ping] : [note];
    const title = `${name}, ${options.parallel ? "several calls" : "one call"}, ${JSON.stringify(options.spacing)}`;
    it(`${title}: written, accepted and read back`, () => {
      expect(format.writeCalls(calls, options)).toBe(text);
      expect(acceptsText(grammarOf(format, options), behindOpener(format, text))).toBe(true);
      expect(callsOf(readCalls(format, text))).toEqual(calls);
    });
    it(`${title}: every single change of a mark is refused`, () => {
      const grammar = grammarOf(format, options);
      const body = behindOpener(format, text);
      expect(acceptsText(grammar, body.slice(0, -1))).toBe(false);
      expect(acceptsText(grammar, `${body} `)).toBe(false);
      const changes = [
        [/\bnote\b/, "nota"],
        [/"arguments"/, '"parameters"'],
        [/"parameters"/, '"arguments"'],
        [/-3/, '"-3"'],
        [/"name"/, ' "name"'],
        [/-3/, "'x'"],
        [/\btext\b/, "txet"],
        [/\[ARGS\]|<\|message\|>|<｜tool▁sep｜>/, ""],
      ] as const;
      const faults = changes
        .filter(([part]) => part.test(body))
        .map(([part, other]) => body.replace(part, other));
      expect(faults.length).toBeGreaterThanOrEqual(3);
      for (const fault of faults) expect(acceptsText(grammar, fault)).toBe(false);
    });
  }
});

describe("constraint", () => {
  for (const format of formats) {
    it(`${format.name}: one call only, where calls are not parallel`, () => {
      const options = { parallel: false, spacing: "spaced" } as const;
      const grammar = grammarOf(format, options);
      const two = format.writeCalls([ping, ping], options);
      expect(acceptsText(grammar, behindOpener(format, format.writeCalls([ping], options)))).toBe(true);
      expect(acceptsText(grammar, behindOpener(format, two))).toBe(false);
    });

    it(`${format.name}: a tool without parameters leaves nothing to choose but the tool`, () => {
      const options = { parallel: false, spacing: "compact" } as const;
      const { grammar } = format.constraint({
        ...options,
        tools: [pingTool(format.argumentsLayout(options))],
      });
      const matcher = createMatcher(grammar);
      const { bytes } = matcher.forced(matcher.start);
      const body = behindOpener(format, format.writeCalls([ping], options));
      // Where calls have ids, these are the model's to choose.
      const id = body.indexOf('"id":"');
      expect(new TextDecoder().decode(bytes)).toBe(id === -1 ? body : body.slice(0, id + '"id":"'.length));
    });

    it(`${format.name}: names with quotes are escaped, stand as they are, or are refused`, () => {
      const options = { parallel: false, spacing: "spaced" } as const;
      const name = 'odd"name\\';
      const tool = noteTool(format.argumentsLayout(options), name);
      if (withoutQuotes.has(format.name)) {
        expect(() => format.constraint({ ...options, tools: [tool] })).toThrow(/Rename the tool/);
        return;
      }
      const { grammar } = format.constraint({ ...options, tools: [tool] });
      const text = format.writeCalls([{ name, input: { text: "", n: 0 } }], options);
      expect(acceptsText(grammar, behindOpener(format, text))).toBe(true);
      const [call] = readCalls(format, text).filter((event) => event.type === "call-end");
      const typed = call?.untyped === true ? typeValues(call, [tool]) : call;
      expect(typed).toMatchObject({ name, input: { text: "", n: 0 } });
    });

    it(`${format.name}: without tools it is the caller's mistake`, () => {
      expect(() => format.constraint({ tools: [], parallel: false, spacing: "spaced" })).toThrow(
        /at least one/,
      );
    });
  }

  it("makes marks that are control tokens such, but not the same text inside arguments", () => {
    const hermes = findFormat("hermes-json");
    const base = pingTool(jsonLayout("spaced"));
    const tool: OfferedTool = {
      ...base,
      compiled: { ...base.compiled, grammar: { root: "root", rules: new Map([["root", mark]]) } },
    };
    const { grammar } = hermes.constraint({
      tools: [tool],
      parallel: false,
      spacing: "spaced",
      specialTokens: ["</tool_call>"],
    });
    const kinds = [...grammar.rules.values()].map((expression) => JSON.stringify(expression));
    expect(kinds.filter((text) => text.includes('{"type":"token","text":"</tool_call>"}'))).toHaveLength(1);
    expect(kinds).toContain(JSON.stringify(mark));
  });

  /** What may follow an opener that is not the format's first; written by hand, several calls where the form has them. */
  const continuations: readonly { format: string; opener: string; text: string; calls: number }[] = [
    {
      format: "plain-json",
      opener: "[{",
      text: '"name": "ping", "arguments": {}}, {"name": "ping", "arguments": {}}]',
      calls: 2,
    },
    {
      format: "plain-json",
      opener: "[\n  {",
      text: '"name": "ping", "arguments": {}},\n  {"name": "ping", "arguments": {}}\n]',
      calls: 2,
    },
    {
      format: "llama3-json",
      opener: "<|python_tag|>",
      text: '{"name": "ping", "parameters": {}}; {"name": "ping", "parameters": {}}',
      calls: 2,
    },
    {
      format: "phi4",
      opener: "functools[{",
      text: '"name": "ping", "arguments": {}}, {"name": "ping", "arguments": {}}]',
      calls: 2,
    },
    { format: "hammer", opener: "```json\n[{", text: '"name": "ping", "arguments": {}}]\n```', calls: 1 },
    {
      format: "harmony",
      opener: "<|start|>assistant to=",
      text: "functions.ping<|channel|>commentary json<|message|>{}<|call|>",
      calls: 1,
    },
    {
      format: "qwen-xml",
      opener: "<function=",
      text: "ping>\n</function>\n<function=ping>\n</function>",
      calls: 2,
    },
    { format: "lfm-py", opener: "[", text: "ping(), ping()]", calls: 2 },
    {
      format: "harmony",
      opener: "to=functions.",
      text: "ping<|channel|>commentary json<|message|>{}<|call|>",
      calls: 1,
    },
  ];
  for (const { format: name, opener: mark, text, calls } of continuations) {
    it(`${name}: goes on as the model began with ${JSON.stringify(mark)}`, () => {
      const format = findFormat(name);
      const opener = format.openers.find((candidate) => candidate.text === mark);
      if (opener === undefined) throw new Error(`${name} has no such opener`);
      const options = { parallel: true, spacing: "spaced" } as const;
      const { grammar } = format.constraint({ ...options, tools: toolsFor(format, options), opener });
      expect(acceptsText(grammar, text)).toBe(true);
      expect(acceptsText(grammar, text.replace("ping", "pong"))).toBe(false);
      expect(acceptsText(grammar, `${text} `)).toBe(false);
      expect(callsOf(readCalls(format, mark + text))).toEqual(Array.from({ length: calls }, () => ping));
    });
  }

  it("covers every opener", () => {
    const first = formats.map((format) => `${format.name} ${format.openers[0]?.text}`);
    const all = formats.flatMap((format) => format.openers.map((opener) => `${format.name} ${opener.text}`));
    const covered = continuations.map(({ format, opener }) => `${format} ${opener}`);
    expect(all.filter((opener) => !first.includes(opener)).sort()).toEqual(covered.sort());
  });

  it("mistral-list: keeps ids of nine letters and digits, and makes such of others", () => {
    const format = findFormat("mistral-list");
    const options = { parallel: true, spacing: "spaced" } as const;
    const calls = [
      { ...ping, id: "abCD01234" },
      { ...ping, id: "call_17" },
    ];
    const text = format.writeCalls(calls, options);
    expect(text).toMatch(
      /^\[TOOL_CALLS\]\[\{"name": "ping", "arguments": \{\}, "id": "abCD01234"\}, \{"name": "ping", "arguments": \{\}, "id": "[a-z0-9]{9}"\}\]$/,
    );
    const { grammar } = format.constraint({ ...options, tools: [pingTool(format.argumentsLayout(options))] });
    expect(acceptsText(grammar, behindOpener(format, text))).toBe(true);
    expect(acceptsText(grammar, behindOpener(format, text.replace("abCD01234", "abCD0123")))).toBe(false);
    expect(acceptsText(grammar, behindOpener(format, text.replace("abCD01234", "abCD_0123")))).toBe(false);
  });

  it.each([
    ["mistral-args", "a[b"],
    ["mistral-args", "a b"],
    ["harmony", "a b"],
    ["harmony", "a<b"],
    ["deepseek-r1", " a"],
    ["qwen-xml", "a>b"],
    ["minicpm-xml", 'a"b'],
    ["glm-xml", "a b"],
    ["lfm-py", "a(b"],
    ["gemma4", "a:b"],
  ])("%s: refuses the name %j, which could not be read back", (name, toolName) => {
    const format = findFormat(name);
    const options = { parallel: false, spacing: "spaced" } as const;
    const tool = { ...pingTool(format.argumentsLayout(options)), name: toolName };
    expect(() => format.constraint({ ...options, tools: [tool] })).toThrow(/Rename the tool/);
  });
});

const mark = { type: "literal", text: "{</tool_call>}" } as const;
