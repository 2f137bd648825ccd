// Makes readable text of a page: headings, lists, links and tables as plain lines, without scripts, styles and menus.
// A scanner, not a parser: pages are seldom valid, and only their words are wanted.

const skipped = new Set("script style noscript template svg head title nav iframe object canvas".split(" "));
const blocks = new Set(
  "p div section article main header footer aside ul ol dl dd table form fieldset blockquote figure figcaption h1 h2 h3 h4 h5 h6 hr br address details summary".split(
    " ",
  ),
);
/** Stands for a space that is to stay, from Unicode's private use. */
const heldSpace = "\uE000";
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  euro: "€",
  pound: "£",
  times: "×",
  deg: "°",
  laquo: "«",
  raquo: "»",
};

/** The text of a page. The title comes first, where there is one. */
export function htmlToText(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1];
  let text = "";
  let skipping: string | undefined;
  let preformatted = 0;
  for (const [, comment, closing, tag, attributes = "", words] of html.matchAll(
    /(<!--.*?(?:-->|$)|<![^>]*>)|<(\/?)([a-zA-Z][\w:-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>|([^<]+|<)/gs,
  )) {
    if (comment !== undefined) continue;
    if (words !== undefined) {
      if (skipping === undefined)
        text +=
          preformatted > 0
            ? readEntities(words).replaceAll(" ", heldSpace)
            : readEntities(words).replace(/\s+/g, " ");
      continue;
    }
    const name = (tag ?? "").toLowerCase();
    const isEnd = closing === "/";
    if (skipping !== undefined) {
      if (isEnd && name === skipping) skipping = undefined;
    } else if (skipped.has(name) && !isEnd && !attributes.endsWith("/")) skipping = name;
    else {
      if (name === "pre") preformatted = Math.max(0, preformatted + (isEnd ? -1 : 1));
      text += markOf(name, isEnd, attributes);
    }
  }
  const body = text
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n[ \t]+/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
    .replaceAll(heldSpace, " ");
  return title === undefined ? body : `${readEntities(title).trim()}\n\n${body}`.trim();
}

function markOf(name: string, isEnd: boolean, attributes: string): string {
  if (/^h[1-6]$/.test(name)) return isEnd ? "\n\n" : `\n\n${"#".repeat(Number(name[1]))} `;
  if (name === "li") return isEnd ? "" : "\n- ";
  if (name === "td" || name === "th") return isEnd ? " | " : "";
  if (name === "pre") return "\n";
  if (name === "a" && isEnd) return "";
  if (name === "img") {
    const alternative = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
    const words = alternative?.[1] ?? alternative?.[2] ?? "";
    return words === "" ? "" : `[${readEntities(words)}]`;
  }
  if (name === "br") return "\n";
  if (name === "tr" || name === "dt") return isEnd ? "" : "\n";
  return blocks.has(name) ? "\n\n" : "";
}

function readEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));?/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : "\uFFFD";
  });
}
