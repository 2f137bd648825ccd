// The tables of request fields as they stand in docs/server.md, between two marks.
import type { FieldTable } from "./field-tables.ts";

const begin = "<!-- written by npm run docs:server: fields -->";
const end = "<!-- end of fields -->";

/** The page with the tables between its marks. Throws where it has none. */
export function writeFieldTables(page: string, tables: readonly FieldTable[]): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/server.md needs the lines ${begin} and ${end}`);
  const written = tables.map(({ title, rows }) => {
    const lines = rows.map(({ field, kind, effect }) => `| ${code(field)} | ${kind} | ${cell(effect)} |`);
    return [`### \`${title}\``, "", "| field | | what it does |", "|---|---|---|", ...lines].join("\n");
  });
  return `${page.slice(0, from)}${begin}\n\n${written.join("\n\n")}\n\n${page.slice(to)}`;
}

function code(field: string): string {
  return /[\s,]/.test(field) ? cell(field) : `\`${field}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
