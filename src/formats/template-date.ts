// The date in chat templates: one day for a whole run. A template that asks for the time itself would change the
// beginning of every later prompt, and all of it would have to be evaluated again.

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** The template with every `strftime_now("…")` of a plain pattern written out for this date, in local time. */
export function fixDate(template: string, date: Date): string {
  return template.replace(
    /\bstrftime_now\(\s*(["'])([^"'\\]*)\1\s*\)/g,
    (_, quote: string, pattern: string) => `${quote}${writeDate(date, pattern)}${quote}`,
  );
}

/** The date by a pattern of C's `strftime`; directives that are not about day or time of day stay as they are. */
export function writeDate(date: Date, pattern: string): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const month = months[date.getMonth()] ?? "";
  const weekday = weekdays[date.getDay()] ?? "";
  const parts: Readonly<Record<string, string>> = {
    Y: String(date.getFullYear()),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    B: month,
    b: month.slice(0, 3),
    A: weekday,
    a: weekday.slice(0, 3),
    H: two(date.getHours()),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    "%": "%",
  };
  return pattern.replace(/%(.)/g, (directive, letter: string) => parts[letter] ?? directive);
}
