// `callwright sessions` and `callwright trace`: what the journal keeps, for people and for programs.
import { type Journal, openJournal, type SessionRecord } from "../journal/index.ts";
import { homeFolder, journalFolder } from "../models/index.ts";
import { CallwrightError, type Message } from "../vocabulary/index.ts";
import { type Command, InvalidArgumentError } from "./commander.ts";
import { describeTrace } from "./describe-trace.ts";
import { jsonLine, visibleText } from "./visible-text.ts";

const day = 24 * 60 * 60 * 1000;

/** Adds `sessions` and `trace`. */
export function addSessionsCommands(program: Command): void {
  const sessions = program
    .command("sessions")
    .description("List, show, export and delete what runs have kept.")
    .addHelpText(
      "after",
      `
Examples:
  callwright sessions list
  callwright sessions show 3f2a
  callwright sessions export 3f2a > session.json
  callwright sessions prune --older-than 30`,
    );
  sessions
    .command("list")
    .description("the sessions, the latest first")
    .option("--json", "print one JSON object for each")
    .action((options: { readonly json?: boolean }) =>
      withJournal((journal) => {
        for (const session of journal.list()) {
          const { id, updated, messages, open, title, workspace } = session;
          const undone = open === 0 ? "" : `, ${open} calls undone`;
          const line = `${id.slice(0, 8)}  ${timeOf(updated)}  ${messages} messages${undone}  ${title || "(no title)"}  ${workspace}`;
          print(options.json ? jsonLine(session) : `${visibleText(line)}\n`);
        }
      }),
    );
  sessions
    .command("show <session>")
    .description("a session's messages, calls and results")
    .action((id: string) =>
      withJournal((journal) => {
        const session = journal.read(journal.find(id).id);
        print(`${visibleText(session.history.map(describeMessage).join("\n\n"))}\n`);
      }),
    );
  sessions
    .command("export <session>")
    .description("all of a session as JSON")
    .action((id: string) =>
      withJournal((journal) => print(`${JSON.stringify(journal.read(journal.find(id).id), null, 2)}\n`)),
    );
  sessions
    .command("prune [session...]")
    .description("delete whole sessions: those named, or those not used for so many days")
    .option("--older-than <days>", "days", days)
    .action((ids: readonly string[], options: { readonly olderThan?: number }) =>
      withJournal(async (journal) => {
        const { olderThan } = options;
        if (ids.length === 0 && olderThan === undefined) {
          throw new CallwrightError("request-invalid", "Name sessions, or say --older-than how many days.");
        }
        const named = ids.map((id) => journal.find(id).id);
        const before = olderThan === undefined ? -Infinity : Date.now() - olderThan * day;
        const old = journal.list().filter(({ updated }) => updated < before);
        const wanted = [...new Set([...named, ...old.map(({ id }) => id)])];
        const gone = await journal.prune(wanted);
        const busy = wanted.length - gone.length;
        print(`${gone.length} sessions deleted${busy === 0 ? "" : `, ${busy} in use left`}\n`);
      }),
    );
  program
    .command("trace [session]")
    .description(
      "show a session's runs turn by turn: attempts, repairs, calls, costs (default: the latest session)",
    )
    .option("--json", "print its events, one JSON object on each line")
    .addHelpText("after", "\nExamples:\n  callwright trace\n  callwright trace 3f2a --json")
    .action((id: string | undefined, options: { readonly json?: boolean }) =>
      withJournal((journal) => {
        const session = findSession(journal, id);
        if (options.json) for (const event of session.events) print(jsonLine(event));
        else print(`${visibleText(describeTrace(session))}\n`);
      }),
    );
}

function findSession(journal: Journal, id: string | undefined): SessionRecord {
  const [latest] = journal.list();
  if (id !== undefined) return journal.read(journal.find(id).id);
  if (latest !== undefined) return journal.read(latest.id);
  throw new CallwrightError("session-unknown", "There is no session yet.");
}

async function withJournal(work: (journal: Journal) => void | Promise<void>): Promise<void> {
  const journal = openJournal({ folder: journalFolder(homeFolder()) });
  try {
    await work(journal);
  } finally {
    journal.close();
  }
}

function describeMessage(message: Message): string {
  switch (message.role) {
    case "system":
    case "user":
      return `${message.role}: ${message.content}`;
    case "assistant": {
      const calls = (message.calls ?? []).map(({ name, input }) => `→ ${name} ${JSON.stringify(input)}`);
      return ["assistant:", ...(message.content === "" ? [] : [message.content]), ...calls].join("\n");
    }
    case "tool":
      return `← ${message.name}${message.isError ? " (no success)" : ""}: ${message.content}`;
    default:
      return message satisfies never;
  }
}

function days(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0)) throw new InvalidArgumentError("It must be a number of days.");
  return number;
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

function print(text: string): void {
  process.stdout.write(text);
}
