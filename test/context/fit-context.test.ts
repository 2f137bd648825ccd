// What goes from a conversation that does not fit, in which order, and that it stays gone.
import { describe, expect, test } from "vitest";
import { type FitRequest, fitContext } from "../../src/context/fit-context.ts";
import type { Message } from "../../src/vocabulary/index.ts";

/** Four characters a token; each message has five tokens around it. */
const count = async (text: string) => Math.ceil(text.length / 4);
const measure = async (messages: readonly Message[]) => {
  let tokens = 0;
  for (const message of messages) {
    const more = message.role === "assistant" ? (message.reasoning ?? "") : "";
    tokens += 5 + (await count(message.content + more));
  }
  return tokens;
};

const prepare = (messages: readonly Message[], more: Partial<FitRequest> = {}) =>
  fitContext({
    messages,
    room: 1_000,
    history: "drop",
    preview: 40,
    resultLimit: 400,
    count,
    measure,
    ...more,
  });

const tokens = (length: number, mark = "x") => mark.repeat(length * 4);
const system: Message = { role: "system", content: tokens(50, "s") };
const user = (content: string): Message => ({ role: "user", content });
const said = (content: string, reasoning?: string): Message => ({
  role: "assistant",
  content,
  ...(reasoning === undefined ? {} : { reasoning }),
});
const call = (id: string, path = id): Message => ({
  role: "assistant",
  content: "",
  calls: [{ id, name: "read", input: { path } }],
});
const result = (id: string, length: number, mark = id): Message => ({
  role: "tool",
  callId: id,
  name: "read",
  content: tokens(length, mark),
});

const roles = (messages: readonly Message[]) => messages.map(({ role }) => role).join(" ");
const lengths = (messages: readonly Message[]) =>
  Promise.all(messages.filter(({ role }) => role === "tool").map(({ content }) => count(content)));

describe("past reasoning", () => {
  const messages = [
    user("a"),
    said("b", tokens(8)),
    user("c"),
    call("d"),
    result("d", 9),
    said("e", tokens(6)),
  ];

  test("is dropped and told", async () => {
    const { messages: shown, cuts } = await prepare(messages);
    expect(shown.some((message) => "reasoning" in message)).toBe(false);
    expect(cuts).toEqual([{ part: "reasoning", tokens: 14, text: "the reasoning of 2 past messages" }]);
  });

  test("is kept since the newest user message where the policy says so", async () => {
    const { messages: shown, cuts } = await prepare(messages, { history: "keep-in-tool-loop" });
    expect(shown[1]).not.toHaveProperty("reasoning");
    expect(shown[5]).toHaveProperty("reasoning");
    expect(cuts).toMatchObject([{ tokens: 8 }]);
  });

  test("is kept where the policy says so", async () => {
    expect(await prepare(messages, { history: "keep" })).toEqual({ messages, cuts: [] });
  });
});

describe("a conversation that fits", () => {
  test("stays as it is", async () => {
    const messages = [system, user("a"), call("b"), result("b", 800), said("c")];
    expect(await prepare(messages)).toEqual({ messages, cuts: [] });
  });
});

describe("a conversation that is too long", () => {
  test("loses what came again first", async () => {
    const messages = [
      user("a"),
      call("b", "same"),
      result("b", 300, "r"),
      call("c", "other"),
      result("c", 300, "r"),
      call("d", "same"),
      result("d", 300, "r"),
      said("e"),
      user(tokens(150)),
    ];
    const { messages: shown, cuts } = await prepare(messages);
    expect(shown[2]?.content).toBe("[The same call gave the same text again further down.]");
    expect(shown.filter((message, at) => message !== messages[at])).toHaveLength(1);
    expect(cuts).toMatchObject([{ part: "results", text: "1 result shortened (read)" }]);
    // 300 tokens became the note's 14.
    expect(cuts[0]?.tokens).toBe(300 - 14);
  });

  test("then has its old results shown as previews, the oldest first and no more than needed", async () => {
    const messages = [
      user("a"),
      call("b"),
      result("b", 400),
      call("c"),
      result("c", 400),
      said("d"),
      user(tokens(300)),
    ];
    const { messages: shown } = await prepare(messages);
    const [first = 0, second] = await lengths(shown);
    expect(first).toBeLessThanOrEqual(40);
    expect(second).toBe(400);
    expect(shown[2]?.content).toMatch(/^b+\n\[… \d+ of 1600 characters cut here: .* …\]\nb+$/);
  });

  test("keeps the newest results whole as long as older ones can go", async () => {
    const messages = [user("a"), call("b"), result("b", 500), call("c"), result("c", 700)];
    const { messages: shown } = await prepare(messages);
    expect((await lengths(shown))[1]).toBe(700);
  });

  test("then has its newest results shortened by what is over, down to their limit", async () => {
    const messages = [user("a"), call("b"), result("b", 1_200)];
    const { messages: shown } = await prepare(messages);
    const [length = 0] = await lengths(shown);
    expect(length).toBeGreaterThan(800);
    expect(await measure(shown)).toBeLessThanOrEqual(1_000);
  });

  test("then loses its oldest turns, with a mark in their place", async () => {
    const turns = [1, 2, 3, 4, 5].flatMap((at) => [user(tokens(100, String(at))), said(tokens(100))]);
    const messages = [system, ...turns, user("now")];
    const { messages: shown, cuts } = await prepare(messages);
    expect(roles(shown)).toBe("system user user assistant user assistant user assistant user assistant user");
    expect(shown[0]).toBe(system);
    expect(shown[1]?.content).toBe("[2 messages left out here for want of room.]");
    expect(shown.slice(2)).toEqual(messages.slice(3));
    expect(cuts).toMatchObject([{ part: "turns", text: "the oldest 2 messages left out" }]);
  });

  test("never loses system text, the newest user message, the calls just made or what a run is asked for", async () => {
    const asked = user(tokens(100, "q"));
    const late: Message = { role: "system", content: tokens(100, "z") };
    const rounds = ["b", "c", "d"].flatMap((id) => [call(id), result(id, 300)]);
    const nudge = user("Do it now.");
    const messages = [
      system,
      user(tokens(300)),
      said("hm"),
      asked,
      late,
      ...rounds,
      nudge,
      call("e"),
      result("e", 700),
    ];
    const { messages: shown } = await prepare(messages, { room: 600, pinned: asked });
    expect(shown).toEqual(expect.arrayContaining([system, asked, late, nudge, call("e")]));
    expect(await measure(shown)).toBeLessThanOrEqual(600);
    expect(shown.at(-1)).toMatchObject({ role: "tool", callId: "e" });
  });

  test("leaves every call answered and every result with its call", async () => {
    const rounds = Array.from({ length: 12 }, (_, at) => String.fromCharCode(97 + at)).flatMap((id) => [
      call(id),
      result(id, 300),
    ]);
    const { messages: shown } = await prepare([system, user("go"), ...rounds], { room: 500 });
    const asked = shown.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
    const answered = shown.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
    expect(answered).toEqual(asked.map(({ id }) => id));
    expect(answered.at(-1)).toBe("l");
    expect(shown[1]).toEqual(user("go"));
  });

  test("is given back too long where what must stay does not fit", async () => {
    const messages = [system, user(tokens(2_000))];
    const { messages: shown, cuts } = await prepare(messages);
    expect(shown).toEqual(messages);
    expect(cuts).toEqual([]);
  });

  test("loses no turn with a call that has no result, though turns after it go", async () => {
    const unanswered = call("b");
    const asked = [user("a"), unanswered];
    const messages = [...asked, user(tokens(300)), said(tokens(900)), user("now")];
    const { messages: shown } = await prepare(messages);
    expect(shown.slice(0, 2)).toEqual(asked);
    expect(shown).toHaveLength(4);
    expect(shown.at(-1)).toEqual(user("now"));
  });

  test("loses nothing where the mark would take as much as the turns it stands for", async () => {
    const messages = [user("a"), said("b"), user(tokens(2_000))];
    expect(await prepare(messages)).toEqual({ messages, cuts: [] });
  });

  test("loses many short turns all the same, which save more than their one mark", async () => {
    const turns = Array.from({ length: 120 }, () => [user("a"), said("b")]).flat();
    const { messages: shown } = await prepare([...turns, user("now")]);
    expect(await measure(shown)).toBeLessThanOrEqual(1_000);
    expect(shown.filter(({ content }) => content.includes("left out here"))).toHaveLength(1);
  });

  test("is told what was saved by each kind of cut as the prompt measures it, marks counted", async () => {
    const turns = [1, 2, 3, 4, 5].flatMap((at) => [user(tokens(100, String(at))), said(tokens(100))]);
    const messages = [...turns, call("b"), result("b", 400), call("c"), result("c", 300), user("now")];
    const { messages: shown, cuts } = await prepare(messages);
    expect(cuts.map(({ part }) => part)).toEqual(["results", "turns"]);
    const kept = shown.find((message) => message.role === "tool");
    // Only the text of the first result changed, from 400 tokens.
    expect(cuts[0]?.tokens).toBe(400 - (await count(kept?.content ?? "")));
    const saved = cuts.reduce((sum, cut) => sum + cut.tokens, 0);
    expect(saved).toBe((await measure(messages)) - (await measure(shown)));
  });

  test("looks at each call a few times at most, however often its result comes again", async () => {
    const rounds = 200;
    let looks = 0;
    const messages = Array.from({ length: rounds }, (_, at): readonly Message[] => {
      const repeated = {
        id: String(at),
        name: "read",
        get input() {
          looks += 1;
          return {};
        },
      };
      return [
        { role: "assistant", content: "", calls: [repeated] },
        { role: "tool", callId: repeated.id, name: "read", content: "ok" },
      ];
    }).flat();
    const { cuts } = await prepare([user("a"), ...messages, user("b")]);
    expect(cuts).toMatchObject([{ part: "turns" }]);
    // Each plan, of four at most, writes a call out to count it and to compare it; the first calls are measured once more.
    expect(looks).toBeLessThan(rounds * 10);
  });

  test("says of a kept result how to read the rest", async () => {
    const keptResults = new Map([["b", { characters: 9_000, advice: "read_result shows them, result r1" }]]);
    const messages = [user("a"), call("b"), result("b", 1_200)];
    const { messages: shown } = await prepare(messages, { keptResults });
    expect(shown[2]?.content).toMatch(/ of 9000 characters cut here: read_result shows them, result r1 …\]/);
  });
});

describe("a conversation that goes on", () => {
  test("stays cut where it was cut, so that nothing before the first new cut changes", async () => {
    const messages: Message[] = [system, user("Look at all of them.")];
    let before: readonly Message[] = [];
    let turnsWithoutNewCut = 0;
    for (let turn = 0; turn < 40; turn++) {
      const id = String.fromCharCode(97 + (turn % 26)).repeat(1 + Math.floor(turn / 26));
      messages.push(call(id), result(id, 20 + ((turn * 37) % 50)));
      const { messages: shown } = await prepare(messages);
      expect(await measure(shown)).toBeLessThanOrEqual(1_000);
      const same = before.findIndex((message, at) => JSON.stringify(message) !== JSON.stringify(shown[at]));
      if (same === -1) turnsWithoutNewCut += 1;
      // Whatever was once shortened or dropped never comes back whole.
      const whole = (list: readonly Message[]) => list.filter((message) => messages.includes(message));
      const gone = before.length === 0 ? [] : messages.slice(0, -2).filter((m) => !whole(before).includes(m));
      expect(whole(shown).filter((message) => gone.includes(message))).toEqual([]);
      before = shown;
    }
    expect(turnsWithoutNewCut).toBeGreaterThan(15);
  });
});
