import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyJsonFence,
  findFormat,
  formats,
  type ReadableFormat,
  readBareValue,
} from "../../src/formats/index.ts";
import { deepestNesting } from "../../src/vocabulary/index.ts";
import { callsOf, everyCut, readTurn, story, textOf } from "./read-turn.ts";

interface Recording {
  readonly behaviour: string;
  readonly format: ReadableFormat;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly said?: string;
  readonly broken?: readonly string[];
  readonly lenient?: boolean;
}

const qwenXml = findFormat("qwen-xml");
const glmXml = findFormat("glm-xml");
const lfmPy = findFormat("lfm-py");
const gemma4 = findFormat("gemma4");
const harmony = findFormat("harmony");
const mistralArgs = findFormat("mistral-args");
const mistralList = findFormat("mistral-list");

const recordings: readonly Recording[] = [
  {
    behaviour: "qwen-xml: values are raw text, several lines and brackets and all",
    format: qwenXml,
    text: "Writing.\n<tool_call>\n<function=write>\n<parameter=path>\na.txt\n</parameter>\n<parameter=body>\n<b>1 < 2</b>\n\n</parameter>\n</function>\n</tool_call>",
    calls: [{ name: "write", input: { path: "a.txt", body: "<b>1 < 2</b>\n" } }],
    said: "Writing.",
  },
  {
    behaviour: "qwen-xml: no parameters, and a second call",
    format: qwenXml,
    text: "<tool_call>\n<function=now>\n</function>\n</tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>\nDone.",
    calls: [
      { name: "now", input: {} },
      { name: "now", input: {} },
    ],
    said: "Done.",
  },
  {
    behaviour: "qwen-xml: without the outer tag",
    format: qwenXml,
    text: "Sure.\n<function=now>\n<parameter=zone>\nUTC\n</parameter>\n</function>\n</tool_call>",
    calls: [{ name: "now", input: { zone: "UTC" } }],
    said: "Sure.",
  },
  {
    behaviour: "qwen-xml: a parameter that comes twice is refused where the reader is lenient",
    format: qwenXml,
    text: "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n<parameter=a>\n2\n</parameter>\n</function>\n</tool_call>",
    calls: [],
    broken: ["f"],
  },
  {
    behaviour: "qwen-xml: the last of equal keys counts where the reader is strict",
    format: qwenXml,
    text: "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n<parameter=a>\n3\n</parameter>\n</function>\n</tool_call>",
    calls: [{ name: "f", input: { a: "3", b: "2" } }],
    lenient: false,
  },
  {
    behaviour: "qwen-xml: tags left open are refused where the reader is strict",
    format: qwenXml,
    text: "<tool_call>\n<function=f>\n<parameter=a>\n1",
    calls: [],
    broken: ["f"],
    lenient: false,
  },
  {
    behaviour: "glm-xml: keys and values by turns",
    format: glmXml,
    text: "<tool_call>find\n<arg_key>text</arg_key>\n<arg_value>a </arg_value> b</arg_value>\n<arg_key>n</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
    calls: [{ name: "find", input: { text: "a </arg_value> b", n: "2" } }],
  },
  {
    behaviour: "lfm-py: Python's literals",
    format: lfmPy,
    text: "<|tool_call_start|>[a.f(x='it\\'s', y=[1, -2.5, None], z={'k': True, \"l\": ()},), g()]<|tool_call_end|>Done.",
    calls: [
      { name: "a.f", input: { x: "it's", y: [1, -2.5, null], z: { k: true, l: [] } } },
      { name: "g", input: {} },
    ],
    said: "Done.",
  },
  {
    behaviour: "lfm-py: parentheses group, and a comma makes a list",
    format: lfmPy,
    text: "<|tool_call_start|>[f(a=(1), b=(1,), c=((2)), d=('x,'), e=[(3 ), (4 , )], g=(1, 2))]<|tool_call_end|>",
    calls: [{ name: "f", input: { a: 1, b: [1], c: 2, d: "x,", e: [3, [4]], g: [1, 2] } }],
  },
  {
    behaviour: "lfm-py: escapes, and brackets inside strings",
    format: lfmPy,
    text: '<|tool_call_start|>[f(x="a)]\\n\\x41\\u00e9\\q", y="\\\\")]<|tool_call_end|>',
    calls: [{ name: "f", input: { x: "a)]\nAé\\q", y: "\\" } }],
  },
  {
    behaviour: "smol3-code: calls on lines of their own",
    format: findFormat("smol3-code"),
    text: "Looking.\n<code>\nfind(text='a\\nb',\n  n=(2))\n\nping()\n</code>\nDone.",
    calls: [
      { name: "find", input: { text: "a\nb", n: 2 } },
      { name: "ping", input: {} },
    ],
    said: "Looking.Done.",
  },
  {
    behaviour: "smol3-code: Python that is no call of its own is no call",
    format: findFormat("smol3-code"),
    text: "<code>x = find(n=1)</code>",
    calls: [],
    said: "<code>x = find(n=1)</code>",
  },
  {
    behaviour: "lfm-py: JSON between the marks",
    format: lfmPy,
    text: '<|tool_call_start|>[{"name": "f", "arguments": {"x": 1}}]<|tool_call_end|>',
    calls: [{ name: "f", input: { x: 1 } }],
  },
  {
    behaviour: "lfm-py: the bare list, as the turn's first text",
    format: lfmPy,
    text: "[f(x=1)]",
    calls: [{ name: "f", input: { x: 1 } }],
  },
  {
    behaviour: "lfm-py: a list that is no call is text",
    format: lfmPy,
    text: "[1] says so.",
    calls: [],
    said: "[1] says so.",
  },
  {
    behaviour: "lfm-py: arguments without a name are refused",
    format: lfmPy,
    text: "<|tool_call_start|>[f(1)]<|tool_call_end|>",
    calls: [],
    broken: ["-"],
  },
  {
    behaviour: "gemma4: bare keys, its own quotes, several calls",
    format: gemma4,
    text: '<|tool_call>call:f{a:<|"|>x "y" {z}<|"|>,n:-1.5,o:{k:[<|"|>u<|"|>,null]},b:false}<tool_call|><|tool_call>call:g{}<tool_call|>',
    calls: [
      { name: "f", input: { a: 'x "y" {z}', n: -1.5, o: { k: ["u", null] }, b: false } },
      { name: "g", input: {} },
    ],
  },
  {
    behaviour: "gemma4: unquoted text is refused",
    format: gemma4,
    text: "<|tool_call>call:f{a:some text}<tool_call|>",
    calls: [],
    broken: ["-"],
  },
  {
    behaviour: "harmony: the channels apart",
    format: harmony,
    text: '<|channel|>analysis<|message|>I need <it>.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
    calls: [{ name: "f", input: { a: 1 } }],
  },
  {
    behaviour: "harmony: the recipient in the header",
    format: harmony,
    text: '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{"a": 1}<|call|>',
    calls: [{ name: "f", input: { a: 1 } }],
  },
  {
    behaviour: "harmony: the final channel is text",
    format: harmony,
    text: "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
    calls: [],
    said: "Yes.",
  },
  {
    behaviour: "mistral-args: a name and arguments, repeated, with an id or without",
    format: mistralArgs,
    text: 'One.[TOOL_CALLS]f[ARGS]{"a": "]"}[TOOL_CALLS]g[CALL_ID]abcdefghi[ARGS]{}',
    calls: [
      { name: "f", input: { a: "]" } },
      { name: "g", input: {} },
    ],
    said: "One.",
  },
  {
    behaviour: "mistral-list: a list with ids",
    format: mistralList,
    text: '[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}, "id": "abcdefghi"}, {"name": "g", "arguments": {}}]',
    calls: [
      { name: "f", input: { a: 1 } },
      { name: "g", input: {} },
    ],
  },
  {
    behaviour: "llama3-json: bare objects with a semicolon between",
    format: findFormat("llama3-json"),
    text: '{"name": "f", "parameters": {"a": ";"}}; {"name": "g", "parameters": {}}',
    calls: [
      { name: "f", input: { a: ";" } },
      { name: "g", input: {} },
    ],
  },
  {
    behaviour: "llama3-json: the tag before it, and the kind beside the name",
    format: findFormat("llama3-json"),
    text: '<|python_tag|>{"type": "function", "name": "f", "parameters": {"a": 1}}',
    calls: [{ name: "f", input: { a: 1 } }],
  },
  {
    behaviour: "llama3-json: an object that is no call is text",
    format: findFormat("llama3-json"),
    text: '{"colour": "red"}; that is all.',
    calls: [],
    said: '{"colour": "red"}; that is all.',
  },
  {
    behaviour: "mistral-args: prose behind the mark is no call",
    format: mistralArgs,
    text: "[TOOL_CALLS]let me see",
    calls: [],
    broken: ["-"],
  },
  {
    behaviour: "granite3: a list behind the mark, then text",
    format: findFormat("granite3"),
    text: '<|tool_call|>[{"name": "f", "arguments": {"a": 1}}]\nDone.',
    calls: [{ name: "f", input: { a: 1 } }],
    said: "Done.",
  },
  {
    behaviour: "phi4: a list between marks",
    format: findFormat("phi4"),
    text: '<|tool_call|>[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}]<|/tool_call|>Done.',
    calls: [
      { name: "f", input: { a: 1 } },
      { name: "g", input: {} },
    ],
    said: "Done.",
  },
  {
    behaviour: "phi4: the word functools and a list",
    format: findFormat("phi4"),
    text: 'functools[{"name": "f", "arguments": {"a": 1}}]',
    calls: [{ name: "f", input: { a: 1 } }],
  },
  {
    behaviour: "json-list: an empty list stays text",
    format: findFormat("json-list"),
    text: "[]",
    calls: [],
    said: "[]",
  },
  {
    behaviour: "hammer: a list in a fence with a language",
    format: findFormat("hammer"),
    text: 'Sure.\n```json\n[{"name": "f", "arguments": {"a": "```"}}]\n```\nDone.',
    calls: [{ name: "f", input: { a: "```" } }],
    said: "Sure.Done.",
  },
  {
    behaviour: "smol2: a list between tags",
    format: findFormat("smol2"),
    text: '<tool_call>[\n{"name": "f", "arguments": {"a": 1}},\n{"name": "g", "arguments": {}}\n]</tool_call>',
    calls: [
      { name: "f", input: { a: 1 } },
      { name: "g", input: {} },
    ],
  },
  {
    behaviour: "smol2: an empty list calls nothing and is not shown",
    format: findFormat("smol2"),
    text: "<tool_call>[]</tool_call>None of the tools fits.",
    calls: [],
    said: "None of the tools fits.",
  },
  {
    behaviour: "nemotron2: a list between tags, arguments as a string",
    format: findFormat("nemotron2"),
    text: '<TOOLCALL>[{"name": "f", "arguments": "{}"}]</TOOLCALL>',
    calls: [{ name: "f", input: "{}" }],
  },
  {
    behaviour: "deepseek-r1: two calls, and line breaks where the template has none",
    format: findFormat("deepseek-r1"),
    text: 'Hm.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\n  "a": 1\n}\n```\n<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>Done.',
    calls: [
      { name: "f", input: { a: 1 } },
      { name: "g", input: {} },
    ],
    said: "Hm.Done.",
  },
  {
    behaviour: "deepseek-r1: arguments without a fence are refused",
    format: findFormat("deepseek-r1"),
    text: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>Done.",
    calls: [],
    said: "Done.",
    broken: ["-"],
  },
  {
    behaviour: "harmony: the rest of a header that the prompt began",
    format: harmony,
    text: ' to=functions.f<|channel|>commentary json<|message|>{"a": 1}<|call|>',
    calls: [{ name: "f", input: { a: 1 } }],
  },
];

const every: readonly ReadableFormat[] = [
  ...formats.map((format) => (format.name === "json-fence" ? anyJsonFence : format)),
  qwenXml,
  lfmPy,
  glmXml,
  gemma4,
];

describe("the last of equal keys", () => {
  const repeated: readonly [format: string, text: string, input: Readonly<Record<string, unknown>>][] = [
    [
      "glm-xml",
      "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n<arg_key>a</arg_key>\n<arg_value>y</arg_value>\n</tool_call>",
      { a: "y" },
    ],
    [
      "minicpm-xml",
      '<function name="f"><param name="a">x</param><param name="a">y</param></function>',
      { a: "y" },
    ],
    [
      "lfm-py",
      "<|tool_call_start|>[f(a='x', o={'k': 1, 'k': 2}, a='y')]<|tool_call_end|>",
      { a: "y", o: { k: 2 } },
    ],
    [
      "gemma4",
      '<|tool_call>call:f{a:<|"|>x<|"|>,o:{k:1,k:2},a:<|"|>y<|"|>}<tool_call|>',
      { a: "y", o: { k: 2 } },
    ],
    [
      "fn-gemma",
      "<start_function_call>call:f{a:<escape>x<escape>,o:{k:1,k:2},a:<escape>y<escape>}<end_function_call>",
      { a: "y", o: { k: 2 } },
    ],
    [
      "hermes-json",
      '<tool_call>\n{"name": "f", "arguments": {"a": "x", "o": {"k": 1, "k": 2}, "a": "y"}}\n</tool_call>',
      { a: "y", o: { k: 2 } },
    ],
  ];
  it.each(repeated)(
    "%s: counts, at the place of the first one; free text is refused",
    (name, text, input) => {
      const read = { formats: [findFormat(name)] };
      const [call, ...others] = callsOf(readTurn(text, read));
      expect(others).toEqual([]);
      expect(call).toEqual({ name: "f", input });
      expect(Object.keys(call?.input ?? {})).toEqual(Object.keys(input));
      expect(callsOf(readTurn(text, { ...read, lenient: true }))).toEqual([]);
    },
  );
});

describe("readers", () => {
  for (const { behaviour, format, text, calls, said = "", broken = [], lenient = true } of recordings) {
    it(behaviour, () => {
      const events = readTurn(text, { formats: [format], lenient });
      expect(callsOf(events)).toEqual(calls);
      expect(textOf(events)).toBe(said);
      expect(events.flatMap((event) => (event.type === "call-broken" ? [event.name ?? "-"] : []))).toEqual(
        broken,
      );
    });

    it(`${behaviour}, wherever it is cut`, () => {
      const whole = story(readTurn(text, { formats: [format], lenient }));
      expect(story(readTurn(text, { formats: [format], lenient }, everyCut(text)))).toEqual(whole);
      for (const cut of everyCut(text)) {
        expect(story(readTurn(text, { formats: [format], lenient }, [cut]))).toEqual(whole);
      }
    });

    it(`${behaviour}, among all formats`, () => {
      const events = readTurn(text, { formats: every, lenient });
      expect(callsOf(events)).toEqual(calls);
      expect(textOf(events)).toBe(said);
    });
  }

  it("say where values stand", () => {
    for (const { format, text } of recordings) {
      for (const event of readTurn(text, { formats: [format], lenient: true })) {
        if (event.type !== "call-end" || typeof event.input !== "object" || event.input === null) continue;
        for (const [key, value] of Object.entries(event.input)) {
          const [from, to] = event.locate(`/${key}`) ?? [0, 0];
          const shown = text.slice(from, to);
          expect(shown).not.toBe("");
          if (typeof value === "number") expect(Number(shown.replace(/[()]/g, ""))).toBe(value);
        }
      }
    }
  });
});

describe("any text at all", () => {
  const marks = [
    ...every.flatMap((format) => [...format.openers.map((opener) => opener.text), ...(format.silent ?? [])]),
    "</tool_call>",
    "```",
    "<function=f>",
    "<parameter=a>",
    "</parameter>",
    "</function>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    '"name": "f", "arguments": {',
    '{"name": "f", "arguments": {"a": 1}}',
    "call:f{a:1}",
    "f(a=1)",
    "f[ARGS]{}",
    '<|"|>',
    "functions.f",
    "<|message|>",
    "<think>",
    "</think>",
    "]",
    "}",
    "{",
    ",",
    "\n",
    " ",
    '"',
    "\\",
  ];
  const soup = fc
    .array(fc.oneof(fc.constantFrom(...marks), fc.string({ maxLength: 5 })), { maxLength: 14 })
    .map((parts) => parts.join(""));
  const options = { formats: every, reasoning: { start: "<think>", end: "</think>" }, lenient: true };

  it("never throws, and says the same however it is cut", () => {
    fc.assert(
      fc.property(soup, fc.array(fc.nat(300), { maxLength: 8 }), (text, places) => {
        const cuts = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
        const whole = story(readTurn(text, options));
        expect(story(readTurn(text, options, cuts))).toEqual(whole);
        expect(story(readTurn(text, options, everyCut(text)))).toEqual(whole);
      }),
      { numRuns: 1500 },
    );
  });

  it("never yields a call whose name and arguments are not in the text", () => {
    fc.assert(
      fc.property(soup, (text) => {
        for (const event of readTurn(text, options)) {
          if (event.type !== "call-end") continue;
          expect(text).toContain(event.name);
          if (event.repairs.includes("absent-arguments") || text.includes(event.inputText)) continue;
          // Other notations than JSON are read into JSON; their keys stand as they are.
          for (const key of Object.keys(event.input ?? {})) expect(text).toContain(key);
        }
      }),
      { numRuns: 1500 },
    );
  });
});

describe("values that nest deeply", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  // The arguments themselves are a level.
  const most = deepestNesting - 1;
  it.each([
    ["hermes-json", (a: string) => `<tool_call>\n{"name": "f", "arguments": {"a": ${a}}}\n</tool_call>`],
    ["smol2", (a: string) => `<tool_call>[\n{"name": "f", "arguments": {"a": ${a}}}\n]</tool_call>`],
    ["lfm-py", (a: string) => `<|tool_call_start|>[f(a=${a})]<|tool_call_end|>`],
    ["gemma4", (a: string) => `<|tool_call>call:f{a:${a}}<tool_call|>`],
    ["mistral-args", (a: string) => `[TOOL_CALLS]f[ARGS]{"a": ${a}}`],
  ])("%s: are read as deep as every format reads them, and no deeper without end", (name, write) => {
    const formats = [findFormat(name)];
    const callOf = (text: string) => readTurn(text, { formats }).find((event) => event.type === "call-end");
    expect(callOf(write(nested(most)))?.input).toEqual({ a: JSON.parse(nested(most)) });
    expect(callOf(write(nested(most + 4)))).toBeUndefined();
  });

  it("are no values between tags either where they are deeper", () => {
    expect(readBareValue(nested(most))?.value).toEqual(JSON.parse(nested(most)));
    expect(readBareValue(nested(most + 4))).toBeUndefined();
  });
});
