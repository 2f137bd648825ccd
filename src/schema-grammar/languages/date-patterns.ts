// RFC 3339's dates, times and durations as regular expressions. ajv-formats, which has the last word, allows more:
// offsets without a colon or minutes, a space for the "T", durations with gaps (PT1H1S). What it alone allows is left out.

const longMonth = "(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])";
const shortMonth = "(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)";
const february = "02-(?:0[1-9]|1\\d|2[0-8])";
// A year is a leap year when its last two digits are divisible by four and not both zero, or its first two are when they are.
const notZeroByFour = "(?:0[48]|[2468][048]|[13579][26])";
const byFour = "(?:[02468][048]|[13579][26])";
const leapDay = `(?:\\d\\d${notZeroByFour}|${byFour}00)-02-29`;

export const datePattern = `(?:\\d{4}-(?:${longMonth}|${shortMonth}|${february})|${leapDay})`;

const fraction = "(?:\\.\\d+)?";
const minutes = "[0-5]\\d";
const hours = "(?:[01]\\d|2[0-3])";
const offset = `(?:[Zz]|[+-]${hours}:${minutes})`;
const timePoint = `${hours}:${minutes}:${minutes}${fraction}${offset}`;

const minutesOfDay = 24 * 60;
// Every zone's offset has been a multiple of this since there are leap seconds (1972). A leap second at any other offset,
// which no clock has shown, is left out: telling each minute of the day would take ten thousand states.
const offsetStep = 15;

/** A leap second ends a day of UTC (23:59:60Z), which is another minute of the day at each offset. */
function leapSeconds(): string {
  const offsets = Array.from({ length: minutesOfDay / offsetStep }, (_, index) => index * offsetStep);
  const byMinute = new Map<number, string[]>([[minutesOfDay - 1, ["[Zz]"]]]);
  for (const offset of offsets) {
    const signs = { "\\+": offset - 1, "-": -offset - 1 };
    for (const [sign, minute] of Object.entries(signs)) {
      const local = (minute + minutesOfDay) % minutesOfDay;
      byMinute.set(local, [...(byMinute.get(local) ?? []), `${sign}${clockText(offset)}`]);
    }
  }
  const options = [...byMinute].map(
    ([minute, ends]) => `${clockText(minute)}:60${fraction}(?:${ends.join("|")})`,
  );
  return options.join("|");
}

function clockText(minute: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, "0");
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

export const timePattern = `(?:${timePoint}|${leapSeconds()})`;

export const dateTimePattern = `${datePattern}[Tt]${timePattern}`;

// Appendix A: each unit may be followed by the next smaller one only.
const timeUnits = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const dateUnits = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";

export const durationPattern = `P(?:${dateUnits}(?:${timeUnits})?|${timeUnits}|\\d+W)`;
