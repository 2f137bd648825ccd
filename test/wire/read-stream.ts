// A client's side of a stream: reads server-sent events and lines of JSON from pieces of bytes, however these are cut.
// Written after WHATWG HTML, "Event stream interpretation".

export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

export function readSentEvents(pieces: readonly Uint8Array[]): readonly SentEvent[] {
  const events: SentEvent[] = [];
  let name = "";
  let data: string[] = [];
  for (const line of readLines(pieces)) {
    if (line === "") {
      if (data.length > 0) events.push({ event: name === "" ? "message" : name, data: data.join("\n") });
      name = "";
      data = [];
    } else if (!line.startsWith(":")) {
      const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === "event") name = value;
      else if (field === "data") data.push(value);
      else throw new Error(`a frame has a line that is no field: ${JSON.stringify(line)}`);
    }
  }
  if (data.length > 0) throw new Error("the stream ends within an event");
  return events;
}

export function readJsonLines(pieces: readonly Uint8Array[]): readonly unknown[] {
  return readLines(pieces)
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
}

function readLines(pieces: readonly Uint8Array[]): readonly string[] {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines: string[] = [];
  let rest = "";
  for (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true });
    const parts = rest.split(/\r\n|\n|\r/);
    rest = parts.pop() ?? "";
    lines.push(...parts);
  }
  rest += decoder.decode();
  if (rest !== "") throw new Error("the stream ends within a line");
  return lines;
}
