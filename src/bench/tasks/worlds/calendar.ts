// A calendar with contacts. An event's id is its first day and time, so that it does not depend on the order of calls.
import { ToolFailure } from "../../../tools/index.ts";
import type { JsonObject } from "../../../vocabulary/index.ts";
import { entryOf, lines, optionalText, textAt, type WorldTools } from "../world.ts";

interface CalendarEvent {
  title: string;
  date: string;
  start: string;
  end: string;
  place: string;
  /** Addresses, sorted. */
  guests: string[];
}

export interface CalendarState {
  events: Record<string, CalendarEvent>;
  /** Address by name. */
  contacts: Record<string, string>;
}

export const calendarTools: WorldTools<CalendarState> = {
  list_events: ({ events }, input) => {
    const from = textAt(input, "from");
    const until = optionalText(input, "until") ?? from;
    const found = Object.entries(events)
      .filter(([, { date }]) => date >= from && date <= until)
      .sort(([, a], [, b]) => (`${a.date}${a.start}` < `${b.date}${b.start}` ? -1 : 1));
    return lines(
      found.map(([id, event]) => `${id}: ${describe(event)}`),
      "There are no events.",
    );
  },
  search_events: ({ events }, input) => {
    const wanted = textAt(input, "text").toLowerCase();
    const found = Object.entries(events).filter(([, { title }]) => title.toLowerCase().includes(wanted));
    return lines(
      found.map(([id, event]) => `${id}: ${describe(event)}`),
      "No event has that in its title.",
    );
  },
  create_event: ({ events }, input) => {
    const event: CalendarEvent = {
      title: textAt(input, "title"),
      date: textAt(input, "date"),
      start: textAt(input, "start"),
      end: textAt(input, "end"),
      place: textAt(input, "place"),
      guests: [],
    };
    checkTimes(event);
    const clash = clashOf(events, event);
    if (clash !== undefined) throw new ToolFailure(`That clashes with ${clash}.`);
    const id = `${event.date.replaceAll("-", "")}-${event.start.replace(":", "")}`;
    if (Object.hasOwn(events, id)) throw new ToolFailure(`There is an event ${id} already.`);
    events[id] = event;
    return `Created ${id}.`;
  },
  move_event: ({ events }, input) => {
    const id = textAt(input, "event_id");
    const event = entryOf(events, id, "event");
    const start = textAt(input, "start");
    const moved = {
      ...event,
      date: textAt(input, "date"),
      start,
      end: optionalText(input, "end") ?? addMinutes(start, minutesOf(event.end) - minutesOf(event.start)),
    };
    checkTimes(moved);
    const clash = clashOf(events, moved, id);
    if (clash !== undefined) throw new ToolFailure(`That clashes with ${clash}.`);
    events[id] = moved;
    return `Moved to ${describe(moved)}.`;
  },
  update_event: ({ events }, input) => {
    const event = entryOf(events, textAt(input, "event_id"), "event");
    event.title = optionalText(input, "title") ?? event.title;
    event.place = optionalText(input, "place") ?? event.place;
    return `Now: ${describe(event)}.`;
  },
  delete_event: ({ events }, input) => {
    const id = textAt(input, "event_id");
    entryOf(events, id, "event");
    delete events[id];
    return "Deleted.";
  },
  find_contact: ({ contacts }, input) => {
    const wanted = textAt(input, "name").toLowerCase();
    const found = Object.entries(contacts).filter(([name]) => name.toLowerCase().includes(wanted));
    return lines(
      found.map(([name, email]) => `${name}: ${email}`),
      "Nobody of that name is in the contacts.",
    );
  },
  invite_guest: ({ events, contacts }, input: JsonObject) => {
    const event = entryOf(events, textAt(input, "event_id"), "event");
    const email = textAt(input, "email");
    if (!Object.values(contacts).includes(email)) throw new ToolFailure(`${email} is no contact's address.`);
    event.guests = [...new Set([...event.guests, email])].sort();
    return `Invited ${email}.`;
  },
};

function describe({ title, date, start, end, place, guests }: CalendarEvent): string {
  const where = place === "" ? "" : `, ${place}`;
  const who = guests.length === 0 ? "" : `, with ${guests.join(", ")}`;
  return `${title}, ${date} ${start}-${end}${where}${who}`;
}

function checkTimes({ start, end }: CalendarEvent): void {
  if (minutesOf(end) <= minutesOf(start)) throw new ToolFailure("An event has to end after it starts.");
}

/** The event that overlaps with the given one, other than `own`. */
function clashOf(events: CalendarState["events"], given: CalendarEvent, own?: string): string | undefined {
  const found = Object.entries(events).find(
    ([id, event]) =>
      id !== own && event.date === given.date && event.start < given.end && given.start < event.end,
  );
  return found && `${found[0]} (${describe(found[1])})`;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

function addMinutes(time: string, minutes: number): string {
  const sum = Math.min(minutesOf(time) + minutes, 24 * 60 - 1);
  return `${String(Math.floor(sum / 60)).padStart(2, "0")}:${String(sum % 60).padStart(2, "0")}`;
}
