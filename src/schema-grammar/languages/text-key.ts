// Short keys for long texts.
import { createHash } from "node:crypto";

/** The text itself where it is short, else its SHA-256: equal for equal texts only. */
export function textKey(text: string): string {
  return text.length <= 100 ? text : createHash("sha256").update(text).digest("base64url");
}
