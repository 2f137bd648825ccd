import { describe, expect, it } from "vitest";
import { nearNames } from "../../src/models/near-names.ts";

const names = ["qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "llama-3.2-1b", "smollm3-3b"];

describe("nearNames", () => {
  it.each<[wrong: string, near: readonly string[]]>([
    ["qwen3-0.6", ["qwen3-0.6b"]],
    ["Llama-3.2-1b", ["llama-3.2-1b"]],
    ["qewn3-4b", ["qwen3-4b"]],
    ["smolm3-3b", ["smollm3-3b"]],
    ["something else", []],
    ["", []],
  ])("finds what is near to %j", (wrong, near) => {
    expect(nearNames(wrong, names).slice(0, near.length || 1)).toEqual(near);
  });

  it("gives three at most, nearest first", () => {
    expect(nearNames("qwen3-4b", [...names, "qwen3-4c", "qwen3-4d"])[0]).toBe("qwen3-4b");
    expect(nearNames("qwen3", [...names, "qwen3-8b"])).toHaveLength(3);
  });
});
