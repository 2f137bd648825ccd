// The journal's folder as others see it.
export {
  type HoldOptions,
  type Journal,
  type JournalOptions,
  type NewSession,
  openJournal,
} from "./journal.ts";
export type {
  CallEnd,
  CallRecord,
  CallState,
  RunRecord,
  SessionRecord,
  SessionSummary,
} from "./records.ts";
export type { CallOutcome, KeptOutput, Session } from "./session.ts";
export type { RecordedChange } from "./undo.ts";
