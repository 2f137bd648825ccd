// Recognises a turn that only announces what it should have done by a call: "I will read tasks.md now."
// Knows English only; what it misses is a plain answer, and what it takes wrongly costs one more turn.

const longestAnnouncement = 200;
const opening =
  /^(?:okay|ok|sure|alright|first|now|yes)?[,.!]?\s*(?:i will|i'll|i am going to|i'm going to|let me)\b/i;
const action =
  /\b(?:read|open|search|look|check|list|find|fetch|get|use|call|run|compute|calculate|query|retrieve|view|inspect|examine)\b/i;

/** Whether a whole turn's text is an announcement of an action and nothing else. */
export function announcesAction(text: string): boolean {
  const trimmed = text.trim().replaceAll("’", "'");
  if (trimmed.length > longestAnnouncement || trimmed.includes("\n\n") || trimmed.endsWith("?")) return false;
  return opening.test(trimmed) && action.test(trimmed);
}
