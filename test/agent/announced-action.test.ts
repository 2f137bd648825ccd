import { expect, test } from "vitest";
import { announcesAction } from "../../src/agent/announced-action.ts";

test.each([
  "I will read tasks.md now.",
  "I'll search for it.",
  "I’ll look that up for you.",
  "Sure, let me check the weather.",
  "Okay. I am going to list the files",
])("an announcement: %s", (text) => {
  expect(announcesAction(text)).toBe(true);
});

test.each([
  "It lists two chores.",
  "I will be happy to help.",
  "Let me know which file you mean.",
  "Shall I read tasks.md?",
  "Let me explain: you read the file, then you close it.\n\nThat is all.",
  `I will read it. ${"And more. ".repeat(40)}`,
  "Hello! I will call you Kim. How may I help?",
  "",
])("no announcement: %.50s", (text) => {
  expect(announcesAction(text)).toBe(false);
});
