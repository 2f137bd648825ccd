// The suite of tasks: each has a solution that its judge takes for one, and nothing less is taken for one.
import { describe, expect, it } from "vitest";
import type { BenchAnswer, BenchItem, TaskRecord } from "../../../src/bench/bench-item.ts";
import { type ItemLine, readSuite, readSuiteFolder } from "../../../src/bench/own/read-suite.ts";
import { judgeAnswer } from "../../../src/bench/verdict.ts";
import { createValidator } from "../../../src/schema-grammar/index.ts";
import { ToolFailure } from "../../../src/tools/index.ts";
import type { JsonObject } from "../../../src/vocabulary/index.ts";

const lines = readSuiteFolder("tasks").items;
const items = new Map(readSuite("tasks").items.map((item) => [item.id, item]));

function itemOf(line: ItemLine): BenchItem {
  const item = items.get(line.id);
  if (item === undefined) throw new Error(`no item ${line.id}`);
  return item;
}

interface DoneCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What the calls leave behind, each of them valid and none of them failing. */
async function solve(item: BenchItem, calls: readonly DoneCall[]): Promise<TaskRecord> {
  const world = item.task?.open();
  if (world === undefined) throw new Error(`${item.id} is no task`);
  for (const call of calls) {
    const tool = world.tools.find(({ name }) => name === call.name);
    if (tool?.execute === undefined) throw new Error(`${item.id}: there is no tool ${call.name}`);
    expect(createValidator(tool.inputSchema)(call.arguments)).toEqual([]);
    await tool.execute(call.arguments, { messages: [] } as never);
  }
  return { turns: calls.length + 1, reason: "done", steps: [], end: world.state() };
}

function answerOf(task: TaskRecord, text: string): BenchAnswer {
  return {
    calls: [],
    text,
    finish: "stop",
    milliseconds: { total: 1 },
    tokens: { prompt: 1, reused: 0, forced: 0, sampled: 1 },
    attempts: 1,
    mends: [],
    task,
  };
}

/** The shortest text that says what is asked for. */
function textOf({ task }: ItemLine): string {
  return (task?.goal.answer ?? []).map(([first]) => first).join("; ");
}

it("there are at least 60, at least 20 in each world", () => {
  expect(lines.length).toBeGreaterThanOrEqual(60);
  for (const world of ["workspace", "shop", "calendar"]) {
    expect(lines.filter((line) => line.task?.world === world).length).toBeGreaterThanOrEqual(20);
  }
});

describe.each(lines)("$id", (line) => {
  const item = itemOf(line);

  it("is solved by its solution", async () => {
    const task = await solve(item, line.calls);
    expect(judgeAnswer(item, answerOf(task, textOf(line)))).toMatchObject({ isRight: true });
  });

  it("is not solved by doing nothing, nor by half of the solution", async () => {
    const idle = await solve(item, []);
    expect(judgeAnswer(item, answerOf(idle, "")).isRight).toBe(false);
    expect(judgeAnswer(item, answerOf(idle, "Done.")).isRight).toBe(false);
    if (line.task?.goal.state !== undefined) {
      const half = await solve(item, line.calls.slice(0, -1));
      const isLastNeeded = JSON.stringify(half.end) !== JSON.stringify((await solve(item, line.calls)).end);
      expect(judgeAnswer(item, answerOf(half, textOf(line))).isRight).toBe(!isLastNeeded);
    }
  });

  it("is not solved where something else was changed besides", async () => {
    const besides: Readonly<Record<string, DoneCall>> = {
      workspace: { name: "write_file", arguments: { path: "stray.txt", content: "x" } },
      shop: { name: "add_to_cart", arguments: { product_id: "P-103", quantity: 7 } },
      calendar: {
        name: "create_event",
        arguments: { title: "Stray", date: "2026-05-01", start: "10:00", end: "11:00" },
      },
    };
    const stray = besides[line.task?.world ?? ""];
    if (stray === undefined) throw new Error("a world without a stray call");
    const task = await solve(item, [...line.calls, stray]);
    expect(judgeAnswer(item, answerOf(task, textOf(line))).isRight).toBe(false);
  });
});

describe("the worlds", () => {
  const open = (id: string) => {
    const world = items.get(id)?.task?.open();
    if (world === undefined) throw new Error(`no task ${id}`);
    return {
      ...world,
      call: (name: string, input: JsonObject) => {
        const execute = world.tools.find((tool) => tool.name === name)?.execute;
        return execute?.(input, {} as never).then(({ text }) => text);
      },
    };
  };

  it("open afresh each time", async () => {
    const first = open("workspace-01");
    await first.call("delete_file", { path: "shopping.txt" });
    expect(JSON.stringify(open("workspace-01").state())).toContain("shopping.txt");
    expect(JSON.stringify(first.state())).not.toContain("shopping.txt");
  });

  it("fail as tools fail, and change nothing then", async () => {
    const rows: readonly [id: string, name: string, input: JsonObject][] = [
      ["workspace-01", "read_file", { path: "no.txt" }],
      ["workspace-01", "replace_text", { path: "shopping.txt", old: "tea", new: "x" }],
      ["workspace-01", "move_file", { from: "shopping.txt", to: "notes/todo.md" }],
      ["shop-01", "add_to_cart", { product_id: "P-102" }],
      ["shop-01", "add_to_cart", { product_id: "P-107", quantity: 4 }],
      ["shop-01", "remove_from_cart", { product_id: "P-101" }],
      ["shop-01", "apply_voucher", { code: "toString" }],
      ["shop-01", "place_order", { address_id: "home" }],
      ["shop-01", "cancel_order", { order_id: "O-502" }],
      ["calendar-01", "create_event", { title: "x", date: "2026-03-10", start: "11:00", end: "12:00" }],
      ["calendar-01", "create_event", { title: "x", date: "2026-03-10", start: "18:00", end: "18:00" }],
      ["calendar-01", "move_event", { event_id: "20260309-0900", date: "2026-03-09", start: "14:30" }],
      ["calendar-01", "invite_guest", { event_id: "20260309-0900", email: "x@y.example" }],
    ];
    for (const [id, name, input] of rows) {
      const world = open(id);
      const before = JSON.stringify(world.state());
      await expect(world.call(name, input), `${name} ${JSON.stringify(input)}`).rejects.toThrow(ToolFailure);
      expect(JSON.stringify(world.state())).toBe(before);
    }
  });

  it("say what they found in words", async () => {
    const shop = open("shop-01");
    expect(await shop.call("search_products", { query: "lamps", max_price: 30 })).toBe(
      "P-106: Camping lamp, 22 euros, 15 in stock",
    );
    await shop.call("add_to_cart", { product_id: "P-109", quantity: 1 });
    await shop.call("apply_voucher", { code: "SPRING10" });
    expect(await shop.call("view_cart", {})).toBe(
      "1 x P-109 Sleeping bag\nvoucher SPRING10, total 89.1 euros",
    );
    const calendar = open("calendar-01");
    expect(await calendar.call("list_events", { from: "2026-03-12" })).toBe(
      "20260312-0900: Interview Noor, 2026-03-12 09:00-10:00, Room 2, with cora@team.example\n" +
        "20260312-1100: Team sync, 2026-03-12 11:00-12:00, Room 1, with ben@team.example",
    );
    const workspace = open("workspace-01");
    expect(await workspace.call("search_files", { text: "TENTS" })).toBe(
      "notes/meeting-march.md:4: Open: who brings the tents",
    );
    expect(await workspace.call("list_files", { folder: "./drafts/" })).toBe("drafts/letter.txt");
  });
});
