// Which tools a first call may name; expected by reading.
import { describe, expect, it } from "vitest";
import { likelyTools, nameShare } from "../../src/decode/likely-tools.ts";
import type { OfferedTool } from "../../src/formats/index.ts";
import { compileSchema } from "../../src/schema-grammar/index.ts";
import type { Message } from "../../src/vocabulary/index.ts";

const inputSchema = { type: "object" };
const compiled = compileSchema(inputSchema);
const tool = (name: string, description: string): OfferedTool => ({
  name,
  description,
  inputSchema,
  compiled,
});
const tools = [
  tool("book_table", "Books a table in a restaurant."),
  tool("find_movies", "Finds movies by actor and genre."),
  tool("play_song", "Plays a song."),
  tool("get_weather", "Weather of a city."),
];
const asked = (content: string): readonly Message[] => [{ role: "user", content }];
const namesOf = (messages: readonly Message[], always: readonly string[] = []) =>
  likelyTools(tools, messages, { most: 2, always }).map(({ name }) => name);

describe("likelyTools", () => {
  it("are those that fit best where the request speaks of one by its name, in their own order", () => {
    expect(namesOf(asked("Find me suspenseful movies with that actor, and a restaurant"))).toEqual([
      "book_table",
      "find_movies",
    ]);
  });

  it("are all where no name is spoken of, where they are few, and after the first results", () => {
    const all = tools.map(({ name }) => name);
    expect(namesOf(asked("Do something about the restaurant"))).toEqual(all);
    const few = { most: 4, always: [] };
    expect(likelyTools(tools, asked("Find movies"), few)).toBe(tools);
    const result = { role: "tool", callId: "1", name: "find_movies", content: "None" } as const;
    expect(namesOf([...asked("Find movies"), result])).toEqual(all);
  });

  it("keep what may be called in any case", () => {
    expect(namesOf(asked("Find movies with that actor in a restaurant"), ["get_weather"])).toContain(
      "get_weather",
    );
  });
});

describe("nameShare", () => {
  it.each([
    ["Find movies", ["find_movies"], 1],
    ["Find a table", ["find_movies"], 0.5],
    ["His contribution to science", ["historical_contrib"], 0.5],
    ["Hello", ["find_movies", "play_song"], 0],
    ["Play a song", ["find_movies", "play_song"], 1],
  ] as const)("%s, %j: %d", (request, names, share) => {
    expect(
      nameShare(
        request,
        names.map((name) => tool(name, "")),
      ),
    ).toBe(share);
  });
});
