// Tells one state of the compiler from another, so that old results are not taken for new ones.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** Changes with the compiler's and the matcher's source. */
export function compilerHash(): string {
  const hash = createHash("sha256");
  for (const folder of ["schema-grammar", "gbnf-builder"]) {
    const root = new URL(`../../src/${folder}/`, import.meta.url);
    for (const name of readdirSync(root, { recursive: true }).map(String).sort()) {
      if (name.endsWith(".ts")) hash.update(readFileSync(new URL(name, root)));
    }
  }
  return hash.digest("base64url").slice(0, 12);
}
