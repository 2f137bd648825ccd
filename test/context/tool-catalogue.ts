// The catalogue of 60 tools that the bench's suite many-tools asks with, as a list in its own order.
import { readSuiteFolder } from "../../src/bench/own/read-suite.ts";
import type { ToolDescription } from "../../src/vocabulary/index.ts";

export const toolCatalogue: readonly ToolDescription[] = Object.entries(
  readSuiteFolder("many-tools").tools,
).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema }));
