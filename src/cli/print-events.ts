// Prints a run's events: for people as they happen, or one JSON object a line.
// Answers are data and go to stdout; calls, results and where the tokens came from go to stderr.
import type { FinishReason, RunEndReason, RunEvent, Usage } from "../vocabulary/index.ts";
import { jsonLine, visibleText } from "./visible-text.ts";

export interface EventPrinterOptions {
  readonly json: boolean;
  /** Where the model's text goes. `stderr` for commands whose data is something else. */
  readonly textTo?: "stdout" | "stderr";
  readonly stdout?: TextStream;
  readonly stderr?: TextStream;
}

export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Lines and characters of a tool's result that are shown. */
const longestResult = { lines: 8, characters: 500 };

/** Makes a function that prints one event after another. */
export function createEventPrinter(options: EventPrinterOptions): (event: RunEvent) => void {
  const { stdout = process.stdout, stderr = process.stderr } = options;
  if (options.json) return (event) => stdout.write(jsonLine(event));
  const screen = createScreen(options.textTo === "stderr" ? stderr : stdout, stderr);
  const isTurnAlone = options.textTo === "stderr";
  const showsCall = isTurnAlone ? createPassingCalls(screen) : undefined;
  let turns = 0;
  return (event) => {
    if (event.type === "turn-start") turns += 1;
    if (showsCall?.(event)) return;
    if (event.type === "turn-end" && isTurnAlone) printEnd(event.finish, event.usage, 1, screen);
    else if (event.type === "run-end") printEnd(event.reason, event.usage, turns, screen);
    else printEvent(event, screen);
  };
}

/**
 * For commands whose data are the calls: a call shows in passing only, since its data follow. One that comes to nothing
 * stays. Tells whether the event is printed thereby.
 */
function createPassingCalls(screen: Screen): (event: RunEvent) => boolean {
  let call: string | undefined;
  return (event) => {
    if (event.type === "call-start") call = `→ ${event.name} `;
    else if (event.type === "call-delta") call = (call ?? "") + event.text;
    else {
      if (event.type === "call-end") call = undefined;
      else if (call !== undefined && (event.type === "call-refused" || event.type === "turn-end")) {
        screen.begin("");
        screen.more(call);
        screen.endLine();
        call = undefined;
      }
      return false;
    }
    screen.passing(call);
    return true;
  };
}

/** What ends in an error is told by that error alone. */
function printEnd(reason: FinishReason | RunEndReason, usage: Usage, turns: number, screen: Screen): void {
  screen.endLine();
  if (reason === "error") return;
  if (reason === "aborted") screen.note("callwright: interrupted");
  else if (reason !== "done" && reason !== "stop" && reason !== "calls") screen.note(`ended by ${reason}`);
  screen.note(describeUsage(usage, turns));
}

function printEvent(event: RunEvent, screen: Screen): void {
  switch (event.type) {
    case "run-start":
      screen.announce(event.model);
      break;
    case "prefill-progress":
      screen.passing(`reading the prompt: ${event.done} of ${event.total} tokens`);
      break;
    case "reasoning-delta":
      screen.dim(event.text);
      break;
    case "text-delta":
      screen.text(event.text);
      break;
    case "call-start":
      screen.begin(`→ ${event.name} `);
      break;
    case "call-delta":
      screen.more(event.text);
      break;
    case "reasoning-end":
    case "text-end":
    case "call-end":
      screen.endLine();
      break;
    case "call-repaired":
      screen.note(`  repaired (${event.rule}): ${event.before} → ${event.after}`);
      break;
    case "call-refused":
      screen.note(`  refused: ${event.faults.map(describeFault).join("; ")}`);
      break;
    case "retry":
      screen.note(`  trying again from ${event.from} (${event.cost.reevaluated} tokens again)`);
      break;
    case "call-invalid":
      screen.note(`  no valid call after ${event.attempts.length} attempts`);
      break;
    case "permission-asked":
      screen.note(`  asks: ${[event.permission, ...event.patterns].join(" ")}`);
      break;
    case "permission-answered":
      screen.note(event.allowed ? "  allowed" : "  denied");
      break;
    case "tool-progress":
      screen.passing(event.text);
      break;
    case "tool-end":
      screen.note(describeResult(event.outcome, event.content));
      break;
    case "notice":
      screen.note(`  ${event.text}`);
      break;
    case "turn-start":
      for (const cut of event.cuts) screen.note(`  cut from ${cut.part}: ${cut.text}`);
      break;
    case "reasoning-start":
    case "text-start":
    case "text-tokens":
    case "tool-start":
    case "turn-end":
    case "run-end":
      break;
    default:
      event satisfies never;
  }
}

function describeFault(fault: { pointer: string; expected: string; came: string }): string {
  return `${fault.pointer || "the call"}: expected ${fault.expected}, came ${fault.came}`;
}

function describeResult(outcome: string, content: string): string {
  const head = outcome === "completed" ? "←" : `← ${outcome}:`;
  const lines = content.split("\n");
  const shown = lines.slice(0, longestResult.lines).join("\n  ").slice(0, longestResult.characters);
  const isCut = lines.length > longestResult.lines || shown.length === longestResult.characters;
  return `${head} ${shown}${isCut ? `\n  [… ${content.length} characters in all]` : ""}`;
}

/** Where tokens and seconds came from, in two lines. */
export function describeUsage(usage: Usage, turns: number): string {
  const { reused, loaded, prefilled, forced, drafted, sampled } = usage.tokens;
  const written = forced + drafted + sampled;
  const share = written === 0 ? 0 : Math.round((100 * (forced + drafted)) / written);
  const prompt = `${reused} reused, ${loaded === 0 ? "" : `${loaded} loaded, `}${prefilled} prefilled`;
  const reply = `${forced} forced, ${drafted === 0 ? "" : `${drafted} drafted, `}${sampled} sampled`;
  const { prefill, decode, total } = usage.milliseconds;
  return [
    `tokens   prompt: ${prompt} · reply: ${reply} (${share} % without sampling)`,
    `seconds  ${seconds(total)} in ${turns} ${turns === 1 ? "turn" : "turns"}: prefill ${seconds(prefill)}, decode ${seconds(decode)}`,
  ].join("\n");
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

interface Screen {
  /** Text of the model. */
  text(text: string): void;
  /** Text in passing, such as reasoning. */
  dim(text: string): void;
  /** A line that is written only if something follows it. */
  announce(text: string): void;
  /** A line of its own. */
  note(text: string): void;
  /** Starts a line that goes on with `more`, on which what is laid out over lines is shown. */
  begin(text: string): void;
  more(text: string): void;
  endLine(): void;
  /** A line that the next one replaces; on a terminal only. */
  passing(text: string): void;
}

/** Keeps lines of the two streams apart where they share a terminal. */
function createScreen(out: TextStream, err: TextStream): Screen {
  let open: TextStream | undefined;
  let isPassing = false;
  let join = createLineJoiner();
  let announced: string | undefined;
  const clear = () => {
    if (isPassing) err.write("\r\u001b[2K");
    isPassing = false;
  };
  const flush = () => {
    if (announced !== undefined) err.write(`${visibleText(announced)}\n`);
    announced = undefined;
  };
  const endLine = () => {
    clear();
    open?.write("\n");
    open = undefined;
  };
  const note = (text: string) => {
    endLine();
    flush();
    err.write(`${visibleText(text)}\n`);
  };
  const write = (stream: TextStream, text: string) => {
    if (text === "") return;
    clear();
    flush();
    if (open !== undefined && open !== stream) endLine();
    stream.write(text);
    open = text.endsWith("\n") ? undefined : stream;
  };
  return {
    text: (text) => write(out, visibleText(text)),
    dim: (text) => {
      const shown = visibleText(text);
      write(err, err.isTTY && shown !== "" ? `\u001b[2m${shown}\u001b[22m` : shown);
    },
    announce: (text) => {
      announced = text;
    },
    note,
    begin: (text) => {
      endLine();
      write(err, visibleText(text));
      join = createLineJoiner();
    },
    more: (text) => write(err, visibleText(join(text))),
    endLine,
    passing: (text) => {
      if (!err.isTTY || open !== undefined) return;
      clear();
      err.write(
        visibleText(text)
          .replaceAll("\n", " ")
          .slice(0, (err.columns ?? 100) - 1),
      );
      isPassing = true;
    },
  };
}

/** Joins lines with their indents by single spaces, however the text is cut. Strings of a call hold no bare line ends. */
function createLineJoiner(): (text: string) => string {
  let isBetween = false;
  return (text) => {
    let joined = "";
    for (const character of text) {
      if (character === "\n") {
        if (!isBetween) joined += " ";
        isBetween = true;
      } else if (!isBetween || character !== " ") {
        isBetween = false;
        joined += character;
      }
    }
    return joined;
  };
}
