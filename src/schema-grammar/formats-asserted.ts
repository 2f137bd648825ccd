// Whether `format` refuses values. Up to draft 7 it does; from 2019-09 on a stated dialect makes it an annotation.
import type { Dialect } from "./reading/keywords.ts";

/** `assert`: formats refuse. `annotate`: they do not. `dialect`: as the stated `$schema` has it, else they refuse. */
export type FormatMode = "assert" | "annotate" | "dialect";

/** Formats of OpenAPI and of single validators that JSON Schema does not know; they refuse nothing here. */
export const annotatedFormats: ReadonlySet<string> = new Set(
  "byte binary password float double url iso-time iso-date-time json-pointer-uri-fragment".split(" "),
);

/** Formats that bound integers. */
export const integerFormats: ReadonlySet<string> = new Set(["int32", "int64"]);

/** Whether the formats of a document in this dialect refuse values. */
export function assertsFormats(dialect: Dialect, mode: FormatMode = "dialect"): boolean {
  if (mode !== "dialect") return mode === "assert";
  return dialect.assertsFormats === true || !(dialect.isStated && dialect.draft >= 2019);
}
