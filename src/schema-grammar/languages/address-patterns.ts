// Addresses and names of the internet as regular expressions: IP, host names, e-mail, UUID.

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
/** RFC 2673, section 3.2: four decimal octets without leading zeros. */
export const ipv4Pattern = `(?:${octet}\\.){3}${octet}`;

const group = "[0-9A-Fa-f]{1,4}";

/** RFC 4291, section 2.2: eight groups, of which `::` stands for one or more; the last two may be an IPv4 address. */
export const ipv6Pattern = ipv6Forms(7, ipv4Pattern);

/** `mostGroups` is how many groups may stand beside `::`. */
function ipv6Forms(mostGroups: number, ipv4: string): string {
  const whole = [`(?:${group}:){7}${group}`, `(?:${group}:){6}${ipv4}`];
  const shortened: string[] = [];
  for (let before = 0; before <= mostGroups; before++) {
    const head = before === 0 ? "" : `${group}(?::${group}){${before - 1}}`;
    const after = mostGroups - before;
    const tails = [""];
    if (after > 0) tails.push(`(?:${group}:){0,${after - 1}}${group}`);
    if (after > 1) tails.push(`(?:${group}:){0,${after - 2}}${ipv4}`);
    shortened.push(`${head}::(?:${tails.join("|")})`);
  }
  return `(?:${[...whole, ...shortened].join("|")})`;
}

const alphanumeric = "[0-9A-Za-z]";
/** RFC 1034 and 1123: a label of at most 63 letters, digits and inner hyphens. */
const label = `${alphanumeric}(?:[0-9A-Za-z-]{0,61}${alphanumeric})?`;
/** At most 253 characters in all, which is not counted: together with the labels' 63 it would take 30,000 states. */
export const hostnamePattern = `${label}(?:\\.${label})*`;

const atom = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+";
const mailLabel = `${alphanumeric}(?:[0-9A-Za-z-]*${alphanumeric})?`;
const quotedLocal = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
// Numbers here may have leading zeros, and `::` stands for two groups or more. A tag other than `IPv6:` would have to be
// registered, and none is.
const mailOctet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|0?[1-9]\\d|0{0,2}\\d)";
const mailIpv4 = `(?:${mailOctet}\\.){3}${mailOctet}`;
const addressLiteral = `\\[(?:${mailIpv4}|[Ii][Pp][Vv]6:${ipv6Forms(6, mailIpv4)})\\]`;
const localPart = `(?:${atom}(?:\\.${atom})*|${quotedLocal})`;
/**
 * RFC 5321's Mailbox (section 4.1.2), addresses at a name and at a number apart. Up to draft 7 it was RFC 5322's
 * addr-spec, whose comments and folded lines no address has.
 */
export const namedMailboxPattern = `${localPart}@${mailLabel}(?:\\.${mailLabel})*`;
export const numberedMailboxPattern = `${localPart}@${addressLiteral}`;

// Letters of every script; which of them an internationalised name may hold is more than a pattern tells (RFC 5892).
const anyLetter = "[0-9A-Za-z\\u{80}-\\u{10FFFF}]";
const anyLabel = `${anyLetter}(?:[0-9A-Za-z\\u{80}-\\u{10FFFF}-]*${anyLetter})?`;
/** RFC 5890, with every character beyond ASCII let through; the dots of IDNA2003 separate labels too. */
export const idnHostnamePattern = `${anyLabel}(?:[.\\u3002\\uFF0E\\uFF61]${anyLabel})*`;

const anyAtom = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~\\u{80}-\\u{10FFFF}-]+";
const quoted =
  '"(?:[\\u{20}\\u{21}\\u{23}-\\u{5B}\\u{5D}-\\u{7E}\\u{80}-\\u{10FFFF}]|\\\\[\\u{20}-\\u{7E}])*"';
/** RFC 6531's Mailbox, with every character beyond ASCII let through. */
export const idnEmailPattern = `(?:${anyAtom}(?:\\.${anyAtom})*|${quoted})@(?:${anyLabel}(?:\\.${anyLabel})*|\\[[!-Z^-~]+\\])`;

/** RFC 4122, section 3, without the `urn:uuid:` that makes it a URN. */
export const uuidPattern = "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}";
