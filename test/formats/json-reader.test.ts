import { describe, expect, it } from "vitest";
import { createJsonReader } from "../../src/formats/json-reader.ts";

function read(text: string) {
  const reader = createJsonReader();
  reader.push(text);
  return { status: reader.status, value: reader.root?.value };
}

describe("createJsonReader", () => {
  it("lets the last of two equal keys count below the root, as JSON.parse does", () => {
    const text = '{"arguments": {"a": 1, "b": {"k": 1, "k": 2}, "a": 3}}';
    expect(read(text)).toEqual({ status: "done", value: JSON.parse(text) });
  });

  it("refuses two equal keys at the root, where a call has its name and its arguments", () => {
    expect(read('{"name": "a", "name": "b"}').status).toBe("broken");
  });
});
