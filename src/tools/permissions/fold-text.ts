// Folds a text to what a person would take it for: case, compatibility forms, look-alike letters, invisible characters.
// Rules that refuse are read this way, so that no spelling gets past them; rules that allow never are.

/** Letters of other scripts that look like Latin ones, after lower-casing (a part of Unicode's confusables, UTS #39). */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аɑα",
    b: "ьƅ",
    c: "сϲ",
    d: "ԁ",
    e: "еҽε",
    g: "ɡց",
    h: "һհ",
    i: "іıιӏ",
    j: "јϳ",
    k: "кκ",
    l: "ⅼլ",
    m: "мⅿ",
    n: "пո",
    o: "оοօ",
    p: "рρ",
    q: "ԛգ",
    r: "гᴦ",
    s: "ѕꜱ",
    t: "тτ",
    u: "υսц",
    v: "ѵν",
    w: "ԝѡ",
    x: "хχ",
    y: "уγ",
    z: "ᴢ",
    ".": "․。",
    "/": "⁄∕",
    "-": "‐‑‒–—−",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Characters without width or form: format characters, variation selectors, soft hyphens. */
const invisible = /\p{Cf}|\p{Cc}|\p{Variation_Selector}|\u034F/gu;

/** The text that it looks like. */
export function foldText(text: string): string {
  const plain = text.normalize("NFKC").replace(invisible, "").toLowerCase();
  return [...plain].map((character) => lookAlikes.get(character) ?? character).join("");
}
