// Ids of calls as Mistral's templates demand them. Knows no format.
import { createHash } from "node:crypto";

/** The id itself where it is nine letters and digits, else nine that are always the same for this id. */
export function nineCharacters(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id;
  return createHash("sha256").update(id).digest("hex").slice(0, 9);
}
