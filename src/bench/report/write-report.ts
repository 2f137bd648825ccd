// Writes the three files of a report.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRun } from "../result-file.ts";
import { makeReport } from "./report-data.ts";
import { writeHtml } from "./write-html.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** Gives the path of the page. Throws `CallwrightError` (`file-unreadable`) where a file is no run. */
export function writeReport(files: readonly string[], folder: string): string {
  const report = makeReport(files.map(readRun));
  mkdirSync(folder, { recursive: true });
  const page = join(folder, "report.html");
  writeFileSync(page, writeHtml(report));
  writeFileSync(join(folder, "report.md"), writeMarkdown(report));
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  return page;
}
