import { describe, expect, it } from "vitest";
import { decodeTurn, foldTurn } from "../../src/decode/decode-turn.ts";
import { repeatedTools } from "../../src/decode/repeated-rounds.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { JsonObject, Message } from "../../src/vocabulary/index.ts";

const user: Message = { role: "user", content: "What is the code?" };
let lastId = 0;

function round(name: string, input: JsonObject, result: string | undefined): readonly Message[] {
  lastId += 1;
  const id = `call_${lastId}`;
  const call: Message = { role: "assistant", content: "", calls: [{ id, name, input }] };
  return result === undefined ? [call] : [call, { role: "tool", callId: id, name, content: result }];
}

const read = (result = "7", path = "a") => round("read", { path, deep: true }, result);

describe("repeatedTools", () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ["two rounds that are the same", [user, ...read(), ...read()], ["read"]],
    ["the last two of three", [user, ...read("6"), ...read(), ...read()], ["read"]],
    ["one round", [user, ...read()], []],
    ["another result", [user, ...read("6"), ...read()], []],
    ["other arguments", [user, ...read(), ...read("7", "b")], []],
    ["another call in between", [user, ...read(), ...round("list", {}, "a"), ...read()], []],
    ["a user who asks again", [user, ...read(), ...read(), user], []],
    ["a round before the user spoke", [user, ...read(), user, ...read()], []],
    [
      "a call without a result",
      [user, ...read(), ...round("read", { path: "a", deep: true }, undefined)],
      [],
    ],
    ["keys in another order", [user, ...read(), ...round("read", { deep: true, path: "a" }, "7")], ["read"]],
    ["nothing", [], []],
  ])("%s", (_, messages, names) => {
    expect(repeatedTools(messages, 2)).toEqual(names);
  });

  it("asks for as many rounds as it is told, and for none with 0", () => {
    const messages = [user, ...read(), ...read()];
    expect(repeatedTools(messages, 3)).toEqual([]);
    expect(repeatedTools([...messages, ...read()], 3)).toEqual(["read"]);
    expect(repeatedTools(messages, 0)).toEqual([]);
  });
});

describe("a turn after two rounds that were the same", () => {
  const tool = (name: string) => ({
    name,
    description: "d",
    inputSchema: { type: "object", properties: {} },
  });
  const stuck = [user, ...round("read", {}, "7"), ...round("read", {}, "7")];

  async function turn(names: readonly string[], choice: "auto" | "required" = "auto", repeats = 2) {
    const model = createScriptedModel({
      replies: ['<tool_call>\n{"name": "list", "arguments": {}}\n</tool_call>'],
    });
    const profile = resolveProfile({ format: "hermes-json", openers: ["hermes-json"], calls: { repeats } });
    const request = { messages: stuck, tools: names.map(tool), toolChoice: choice };
    const result = await foldTurn(decodeTurn({ model, profile }, request));
    return { ...result, codes: result.notices.map(({ code }) => code), span: model.requests[0]?.span };
  }

  it("may call the other tools", async () => {
    const { calls, codes } = await turn(["read", "list"]);
    expect(calls.map(({ name }) => name)).toEqual(["list"]);
    expect(codes).toContain("repeated-calls-withheld");
  });

  it("answers where there is no other", async () => {
    const { calls, codes, finish, span } = await turn(["read"]);
    expect({ calls, finish }).toEqual({ calls: [], finish: "stop" });
    expect(span).toMatchObject({ type: "free", forbidden: { texts: ["<tool_call>"] } });
    expect(codes).toContain("repeated-calls-withheld");
  });

  it("is as any other where a call is required or the profile does not mind", async () => {
    expect((await turn(["read", "list"], "required")).codes).not.toContain("repeated-calls-withheld");
    expect((await turn(["read", "list"], "auto", 0)).codes).not.toContain("repeated-calls-withheld");
  });
});
