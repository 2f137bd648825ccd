import { describe, expect, it } from "vitest";
import { createFetchProgress, formatBytes } from "../../src/cli/fetch-progress.ts";

const step = (done: number) => ({ id: "m", source: "hf:o/r/f.gguf", done, total: 2_000_000 });

describe("createFetchProgress", () => {
  it("prints a line every tenth where there is no terminal, and notices between", () => {
    const { stream, text } = recorder(false);
    const display = createFetchProgress(stream);
    for (let done = 0; done <= 2_000_000; done += 50_000) display.show(step(done));
    display.notice("a notice");
    display.end();
    const tenths = Array.from({ length: 10 }, (_, index) => `m: ${(index + 1) * 10} % of 2.0 MB\n`);
    expect(text()).toBe(`fetching m from hf:o/r/f.gguf\n${tenths.join("")}a notice\n`);
  });

  it("redraws one bar on a terminal, in its width, and ends on a fresh line", () => {
    let now = 0;
    const { stream, text } = recorder(true, 60);
    const display = createFetchProgress(stream, () => now);
    for (const done of [0, 500_000, 1_000_000, 2_000_000]) {
      now += 1_000;
      display.show(step(done));
    }
    display.end();
    const drawn = text()
      .split("\r\u001b[2K")
      .map((line) => line.trimEnd());
    expect(drawn).toHaveLength(4);
    expect(drawn[1]).toContain("[######------------------]  25 %  500 kB of 2.0 MB");
    expect(drawn[3]).toContain("[########################] 100 %");
    for (const line of drawn) expect(line.length).toBeLessThan(60);
    expect(text().endsWith("\n")).toBe(true);
  });

  it("clears the bar for a notice", () => {
    const { stream, text } = recorder(true);
    const display = createFetchProgress(stream, () => 1_000);
    display.show(step(0));
    display.notice("a notice");
    display.end();
    expect(text().endsWith("\r\u001b[2Ka notice\n")).toBe(true);
  });
});

describe("formatBytes", () => {
  it.each([
    [491_400_064, "491.4 MB"],
    [1_117_320_768, "1.12 GB"],
    [26, "0 kB"],
    [1_500, "2 kB"],
  ])("writes %d as %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

function recorder(isTTY: boolean, columns = 100) {
  let written = "";
  const write = (text: string) => {
    written += text;
  };
  return { stream: { isTTY, columns, write }, text: () => written };
}
