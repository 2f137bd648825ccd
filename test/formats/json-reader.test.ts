import { describe, expect, it } from "vitest";
import { createJsonReader } from "../../src/formats/json-reader.ts";

function read(text: string, lenient = false) {
  const reader = createJsonReader({ lenient });
  reader.push(text);
  return { status: reader.status, value: reader.root?.value, mends: [...reader.mends] };
}

describe("createJsonReader", () => {
  it("lets the last of two equal keys count below the root, as JSON.parse does", () => {
    const text = '{"arguments": {"a": 1, "b": {"k": 1, "k": 2}, "a": 3}}';
    expect(read(text)).toEqual({ status: "done", value: JSON.parse(text), mends: [] });
  });

  it("refuses two equal keys at the root, where a call has its name and its arguments", () => {
    expect(read('{"name": "a", "name": "b"}').status).toBe("broken");
  });

  const loose: readonly [text: string, value: unknown, mends: readonly string[]][] = [
    ['{"a": 1, // how many\n "b": 2}', { a: 1, b: 2 }, ["removed-comments"]],
    ['{"a": /* a * here */ 1, "b": "// no comment"}', { a: 1, b: "// no comment" }, ["removed-comments"]],
    ['{"a": [1, 2,], "b": {"c": 3,},}', { a: [1, 2], b: { c: 3 } }, ["removed-trailing-commas"]],
    ['{"a": True, "b": [False, None]}', { a: true, b: [false, null] }, ["python-literals"]],
  ];
  for (const [text, value, mends] of loose) {
    it(`reads ${JSON.stringify(text)} leniently, at whatever places it is cut, and strictly not at all`, () => {
      for (let cut = 0; cut < text.length; cut++) {
        const reader = createJsonReader({ lenient: true });
        reader.push(text.slice(0, cut));
        reader.push(text.slice(cut));
        expect({ status: reader.status, value: reader.root?.value }).toEqual({ status: "done", value });
        expect([...reader.mends]).toEqual(mends);
      }
      expect(read(text).status).toBe("broken");
    });
  }

  it.each(['{"a": / 1}', '{"a": 1,, "b": 2}', "{,}", "[,]", '{"a": nul}', '{"a": 1 /'])(
    "does not guess at %s",
    (text) => {
      expect(read(text, true).status).not.toBe("done");
    },
  );
});
