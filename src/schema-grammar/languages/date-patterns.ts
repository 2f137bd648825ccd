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
// A leap second ends a day of UTC. At other offsets it falls on any minute of the day, which would take thousands of
// states to tell; such times, correct but never seen, are left out.
const leapSecond = `23:59:60${fraction}(?:[Zz]|[+-]00:00)`;

export const timePattern = `(?:${hours}:${minutes}:${minutes}${fraction}${offset}|${leapSecond})`;

export const dateTimePattern = `${datePattern}[Tt]${timePattern}`;

// Appendix A: each unit may be followed by the next smaller one only.
const timeUnits = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const dateUnits = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";

export const durationPattern = `P(?:${dateUnits}(?:${timeUnits})?|${timeUnits}|\\d+W)`;
