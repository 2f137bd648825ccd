import { describe, expect, it } from "vitest";
import {
  createTurnParser,
  findFormat,
  type ReadableFormat,
  type TurnParserOptions,
} from "../../src/formats/index.ts";
import { everyCut, readTurn, story } from "./read-turn.ts";

const hermes = findFormat("hermes-json");
const fence = findFormat("json-fence");
const plain = findFormat("plain-json");
const all: readonly ReadableFormat[] = [hermes, fence, plain];
const think = { start: "<think>", end: "</think>" };

const call = '{"name": "get_time", "arguments": {"zone": "UTC", "n": [1, -2.5e3, null]}}';
const input = { zone: "UTC", n: [1, -2500, null] };
const callStory = (index = 0) => [
  ["call-start", index, "get_time"],
  ["call-delta", '{"zone": "UTC", "n": [1, -2.5e3, null]}'],
  ["call-end", index, "get_time", input],
];
const textStory = (text: string) => [["text-start"], ["text-delta", text], ["text-end"]];

interface Case {
  readonly behaviour: string;
  readonly text: string;
  readonly options?: Partial<TurnParserOptions>;
  readonly story: readonly unknown[];
}

const cases: readonly Case[] = [
  { behaviour: "prose is text", text: " Hello <there> `x`.\n", story: textStory("Hello <there> `x`.") },
  { behaviour: "an empty turn says nothing", text: " \n ", story: [] },
  {
    behaviour: "a tagged call is a call",
    text: `<tool_call>\n${call}\n</tool_call>`,
    story: callStory(),
  },
  {
    behaviour: "a sentence before a call stays, the space between goes",
    text: `Let me look.\n\n<tool_call>${call}</tool_call>\n`,
    story: [...textStory("Let me look."), ...callStory()],
  },
  {
    behaviour: "text after a call is text of its own",
    text: `<tool_call>\n${call}\n</tool_call>\nDone. <b>`,
    story: [...callStory(), ...textStory("Done. <b>")],
  },
  {
    behaviour: "several tagged calls are read in order",
    text: `<tool_call>\n${call}\n</tool_call>\n<tool_call>\n${call}\n</tool_call>`,
    story: [...callStory(0), ...callStory(1)],
  },
  {
    behaviour: "a closing tag inside a string ends nothing",
    text: '<tool_call>{"name": "f", "arguments": {"t": "a </tool_call> b"}}</tool_call>',
    story: [
      ["call-start", 0, "f"],
      ["call-delta", '{"t": "a </tool_call> b"}'],
      ["call-end", 0, "f", { t: "a </tool_call> b" }],
    ],
  },
  {
    behaviour: "a fenced call is a call",
    text: `\`\`\`json\n${call}\n\`\`\``,
    story: callStory(),
  },
  {
    behaviour: "a fenced list holds several calls",
    text: `\`\`\`json\n[\n  ${call},\n  ${call}\n]\n\`\`\`\nThere.`,
    story: [...callStory(0), ...callStory(1), ...textStory("There.")],
  },
  {
    behaviour: "a fence inside a line opens nothing",
    text: "Write ```json\n{} like this",
    story: textStory("Write ```json\n{} like this"),
  },
  {
    behaviour: "a fence with other JSON stays text",
    text: 'Here:\n```json\n{"a": 1}\n```\nso.',
    story: [
      ["text-start"],
      ["text-delta", "Here:"],
      ["text-end"],
      ...textStory('```json\n{"a": 1}\n```\nso.'),
    ],
  },
  {
    behaviour: "a bare object at the start is a call",
    text: ` \n${call}`,
    story: callStory(),
  },
  {
    behaviour: "bare objects on lines are calls, what follows them is text",
    text: `${call}\n${call}\nThat is all.`,
    story: [...callStory(0), ...callStory(1), ...textStory("That is all.")],
  },
  {
    behaviour: "an object on a later line that is no call is text",
    text: `${call}\n{"a": 1}`,
    story: [...callStory(0), ...textStory('{"a": 1}')],
  },
  {
    behaviour: "a bare list is a list of calls",
    text: `[{"name": "get_time", "arguments": {"zone": "UTC", "n": [1, -2.5e3, null]}}, ${call}]`,
    story: [...callStory(0), ...callStory(1)],
  },
  {
    behaviour: "a bare object that is no call is text",
    text: '{"temperature": 5}',
    story: textStory('{"temperature": 5}'),
  },
  {
    behaviour: "a bare object after text is text",
    text: `See ${call}`,
    story: textStory(`See ${call}`),
  },
  {
    behaviour: "a bare list of other things is text",
    text: "[1, 2]",
    story: textStory("[1, 2]"),
  },
  {
    behaviour: "an opener that is never completed is text",
    text: "a <tool_cal",
    story: textStory("a <tool_cal"),
  },
  {
    behaviour: "reasoning is told apart",
    text: "<think>\nHm, <tool_call> is a mark.\n</think>\n\nYes.",
    options: { reasoning: think },
    story: [
      ["reasoning-start"],
      ["reasoning-delta", "Hm, <tool_call> is a mark."],
      ["reasoning-end"],
      ...textStory("Yes."),
    ],
  },
  {
    behaviour: "reasoning may be open already",
    text: "Hm.\n</think>\nYes.",
    options: { reasoning: think, insideReasoning: true },
    story: [["reasoning-start"], ["reasoning-delta", "Hm."], ["reasoning-end"], ...textStory("Yes.")],
  },
  {
    behaviour: "a call on a line of its own ends reasoning where that is allowed",
    text: `<think>So I call <tool_call> now.\n<tool_call>\n${call}\n</tool_call>`,
    options: { reasoning: think, implicitEnd: true },
    story: [
      ["reasoning-start"],
      ["reasoning-delta", "So I call <tool_call> now."],
      ["reasoning-end"],
      ...callStory(),
    ],
  },
  {
    behaviour: "what a family wraps its answer in is not shown",
    text: "<think>Hm.</think><response>Yes.</response>",
    options: { reasoning: think, formats: [findFormat("granite3")] },
    story: [["reasoning-start"], ["reasoning-delta", "Hm."], ["reasoning-end"], ...textStory("Yes.")],
  },
  {
    behaviour: "a reasoning mark inside prose is text",
    text: "Use <think> for that.",
    options: { reasoning: think },
    story: textStory("Use <think> for that."),
  },
  {
    behaviour: "what is no JSON between the tags is a broken call, and never shows",
    text: "<tool_call>\nget_time(UTC)\n</tool_call> and so on",
    story: [
      [
        "call-broken",
        0,
        'a call as a JSON object, "{", expected',
        "<tool_call>\nget_time(UTC)\n</tool_call>",
        12,
      ],
      ...textStory("and so on"),
    ],
  },
  {
    behaviour: "a call that the text ends in is broken",
    text: '<tool_call>\n{"name": "f", "arguments": {"a": "b',
    story: [
      ["call-start", 0, "f"],
      ["call-delta", '{"a": "b'],
      [
        "call-broken",
        0,
        "the JSON ends before the call is complete",
        '<tool_call>\n{"name": "f", "arguments": {"a": "b',
        47,
      ],
    ],
  },
];

describe("createTurnParser", () => {
  for (const { behaviour, text, options = {}, story: expected } of cases) {
    const full = { formats: all, ...options };
    it(behaviour, () => {
      expect(story(readTurn(text, full))).toEqual(expected);
    });
    it(`${behaviour}, wherever it is cut`, () => {
      expect(story(readTurn(text, full, everyCut(text)))).toEqual(expected);
      for (const cut of everyCut(text)) expect(story(readTurn(text, full, [cut]))).toEqual(expected);
    });
  }

  it("stops at the end of an opener and drops what overshoots it", () => {
    const parser = createTurnParser({ formats: [hermes] });
    expect(parser.pushUntilOpener("Look: <tool_").consumed).toBe(12);
    const read = parser.pushUntilOpener('call>{"na');
    expect(read.consumed).toBe(5);
    expect(read.opened?.format.name).toBe("hermes-json");
    expect(read.opened?.offset).toBe(17);
    expect(parser.place).toBe("call");
    const events = [...parser.push(`\n${call}\n</tool_call>`), ...parser.finish()];
    expect(story(events)).toEqual(callStory());
  });

  it("says where values stand in the turn", () => {
    const text = `Now.\n<tool_call>\n${call}\n</tool_call>`;
    const parser = createTurnParser({ formats: [hermes] });
    const end = parser.push(text).find((event) => event.type === "call-end");
    const [from, to] = end?.type === "call-end" ? (end.locate("/n/1") ?? [0, 0]) : [0, 0];
    expect(text.slice(from, to)).toBe("-2.5e3");
  });

  it("keeps the arguments' own text", () => {
    const text = '<tool_call>{"name": "f", "arguments": {"id": 9007199254740993}}</tool_call>';
    const end = createTurnParser({ formats: [hermes] })
      .push(text)
      .find((event) => event.type === "call-end");
    expect(end?.type === "call-end" && end.inputText).toBe('{"id": 9007199254740993}');
  });
});
