import { describe, expect, it } from "vitest";
import { isKnownTemplate } from "../../src/formats/index.ts";
import { readTemplate, templateNames } from "../llama-cpp-files.ts";

describe("isKnownTemplate", () => {
  it("knows every template that llama.cpp ships", () => {
    expect(templateNames().filter((name) => !isKnownTemplate(readTemplate(name)))).toEqual([]);
  });

  it("knows none that differs in one character", () => {
    expect(templateNames().filter((name) => isKnownTemplate(`${readTemplate(name)} `))).toEqual([]);
    expect(isKnownTemplate("")).toBe(false);
  });
});
