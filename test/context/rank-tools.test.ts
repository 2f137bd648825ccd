// Ranking tools for a request, on a labelled set of our own: the words were written before anything ranked them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rankTools } from "../../src/context/rank-tools.ts";
import type { ToolDescription } from "../../src/vocabulary/index.ts";
import { toolCatalogue } from "./tool-catalogue.ts";

interface LabelledSet {
  readonly requests: readonly {
    readonly text: string;
    readonly tool: string;
    /** The word table was written with the development requests in view; the others were only counted. */
    readonly set: "development" | "held-out";
  }[];
}

const tools = toolCatalogue;
const { requests }: LabelledSet = JSON.parse(
  readFileSync(new URL("./tool-requests.json", import.meta.url), "utf8"),
);

const tool = (name: string, description: string, properties = {}): ToolDescription => ({
  name,
  description,
  inputSchema: { type: "object", properties },
});

const first = (list: readonly ToolDescription[], request: string) => rankTools(list, request).tools[0]?.name;

describe("the labelled set", () => {
  test("has at least 150 requests over 60 tools, each for a tool that there is", () => {
    expect(tools).toHaveLength(60);
    expect(requests.length).toBeGreaterThanOrEqual(150);
    const names = new Set(tools.map(({ name }) => name));
    expect(requests.filter((request) => !names.has(request.tool))).toEqual([]);
  });

  test.each(["development", "held-out"] as const)(
    "has the needed tool among the first 8 in at least 95 %% of the %s requests",
    (set) => {
      const own = requests.filter((request) => request.set === set);
      const found = own.filter((request) =>
        rankTools(tools, request.text)
          .tools.slice(0, 8)
          .some(({ name }) => name === request.tool),
      );
      expect(found.length / own.length).toBeGreaterThanOrEqual(0.95);
    },
  );
});

describe("requests in Chinese", () => {
  const chinese: {
    readonly descriptions: Readonly<Record<string, string>>;
    readonly requests: readonly { readonly text: string; readonly tool: string }[];
  } = JSON.parse(readFileSync(new URL("./chinese-requests.json", import.meta.url), "utf8"));

  test("find their tool among the first 8 in at least 9 of 10, where the tools are described in Chinese", () => {
    const described = tools.map((own) => ({ ...own, description: chinese.descriptions[own.name] ?? "" }));
    expect(described.filter(({ description }) => description === "")).toEqual([]);
    const found = chinese.requests.filter(({ text, tool: wanted }) =>
      rankTools(described, text)
        .tools.slice(0, 8)
        .some(({ name }) => name === wanted),
    );
    expect(chinese.requests).toHaveLength(10);
    expect(found.length).toBeGreaterThanOrEqual(9);
  });

  test("fit no tool that is described in English, but for the kinds of values in them", () => {
    const fitting = chinese.requests.map(({ text }) => rankTools(tools, text).fitting);
    expect(fitting.filter((count) => count > 0)).toEqual([]);
    expect(rankTools(tools, "把 notes/todo.txt 读给我听").fitting).toBeGreaterThan(0);
  });
});

describe("a ranking", () => {
  test("keeps all tools, and those that fit equally in their order", () => {
    const list = [tool("alpha", ""), tool("beta", ""), tool("gamma", "")];
    expect(rankTools(list, "Good morning").tools.map(({ name }) => name)).toEqual(["alpha", "beta", "gamma"]);
  });

  test.each([
    ["a name in camel case", tool("getParcelStatus", ""), "What is the status of my parcel?"],
    ["a name with underscores", tool("parcel_status", ""), "What is the status of my parcel?"],
    ["a description", tool("x", "Tracks a parcel."), "Where are my parcels?"],
    ["a parameter", tool("x", "", { parcel: { type: "string" } }), "Where is my parcel?"],
    [
      "what describes a nested parameter",
      tool("x", "", { a: { type: "array", items: { properties: { b: { description: "A parcel." } } } } }),
      "Where is my parcel?",
    ],
    ["an allowed value", tool("x", "", { kind: { enum: ["letter", "parcel"] } }), "Send a parcel."],
    ["two neighbouring characters of Japanese", tool("x", "天気予報を調べます。"), "東京の天気は？"],
    ["words of letters with marks", tool("x", "मौसम की जानकारी"), "आज मौसम कैसा है?"],
    ["a word between Chinese ones", tool("x", "Runs SQL queries."), "执行SQL语句"],
    ["a related word", tool("x", "Order a taxi."), "I need a cab."],
    ["what a value looks like", tool("x", "Fetch a web page."), "What does https://example.com/a say?"],
  ])("reads %s", (_, wanted, request) => {
    const others = [tool("first", "Adds two numbers."), tool("second", "Plays a song.")];
    expect(first([...others, wanted], request)).toBe(wanted.name);
  });

  test("counts a rare word for more than one that most tools have", () => {
    const list = [
      tool("a", "List the files of the project."),
      tool("b", "Count the files of the project."),
      tool("c", "Delete the backups of the project."),
    ];
    expect(first(list, "project files: which backups are there?")).toBe("c");
  });
});
