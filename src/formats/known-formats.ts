// Every format that a model can be driven in, by name.
import { CallwrightError } from "../vocabulary/index.ts";
import type { Format } from "./format.ts";
import { hermesJson } from "./hermes-json.ts";
import { jsonFence } from "./json-fence.ts";
import { plainJson } from "./plain-json.ts";

/** All of them. */
export const formats: readonly Format[] = [hermesJson, jsonFence, plainJson];

/** Forms that models of any family fall into. Those of one family are watched for where a profile names them. */
export const commonFormats: readonly Format[] = [hermesJson, jsonFence, plainJson];

/** The format of this name. Throws `CallwrightError` (`format-unknown`) with the names there are. */
export function findFormat(name: string): Format {
  const found = formats.find((format) => format.name === name);
  if (found !== undefined) return found;
  const names = formats.map((format) => format.name).join(", ");
  throw new CallwrightError(
    "format-unknown",
    `There is no format "${name}"; use one of ${names}, or "auto".`,
  );
}
