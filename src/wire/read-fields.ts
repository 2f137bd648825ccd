// Reads the fields of a request's body one by one. A field that is there and not what it has to be is refused with its
// pointer; `null` counts as absent, as clients write it; fields that nobody asks for are ignored.
import { CallwrightError, isJsonObject, type JsonObject, joinPointer } from "../vocabulary/index.ts";

export interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** An object of the body and where it stands. */
export interface Fields {
  readonly pointer: string;
  readonly object: JsonObject;
  /** The value; undefined where it is absent or null. */
  value(name: string): unknown;
  text(name: string): string | undefined;
  number(name: string, bounds?: Bounds): number | undefined;
  whole(name: string, bounds?: Bounds): number | undefined;
  flag(name: string): boolean | undefined;
  oneOf<const T extends string>(name: string, values: readonly T[]): T | undefined;
  list(name: string): readonly unknown[] | undefined;
  fields(name: string): Fields | undefined;
  /** Each item of a list as an object. */
  items(name: string): readonly Fields[] | undefined;
  /** The error for a field that cannot be as it is. */
  fault(name: string, reason: string): CallwrightError;
}

export function readFields(value: unknown, pointer = ""): Fields {
  if (!isJsonObject(value)) throw fieldFault(pointer, `expected an object, came ${kindOf(value)}`);
  const fields: Fields = {
    pointer,
    object: value,
    value: (name) => (Object.hasOwn(value, name) && value[name] !== null ? value[name] : undefined),
    text: (name) => checked(name, "text", (given) => typeof given === "string") as string | undefined,
    number: (name, bounds) => numberAt(name, "a number", Number.isFinite, bounds),
    whole: (name, bounds) => numberAt(name, "a whole number", Number.isSafeInteger, bounds),
    flag: (name) =>
      checked(name, "true or false", (given) => typeof given === "boolean") as boolean | undefined,
    oneOf: (name, values) =>
      checked(name, `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`, (given) =>
        values.some((one) => one === given),
      ) as never,
    list: (name) => checked(name, "a list", Array.isArray) as readonly unknown[] | undefined,
    fields: (name) => {
      const given = fields.value(name);
      return given === undefined ? undefined : readFields(given, joinPointer(pointer, name));
    },
    items: (name) =>
      fields.list(name)?.map((item, at) => readFields(item, joinPointer(joinPointer(pointer, name), at))),
    fault: (name, reason) => fieldFault(joinPointer(pointer, name), reason),
  };

  function checked(name: string, expected: string, isRight: (given: unknown) => boolean): unknown {
    const given = fields.value(name);
    if (given === undefined || isRight(given)) return given;
    throw fields.fault(name, `expected ${expected}, came ${kindOf(given)}`);
  }

  function numberAt(
    name: string,
    expected: string,
    isRight: (given: unknown) => boolean,
    { least = -Infinity, most = Infinity }: Bounds = {},
  ): number | undefined {
    const given = checked(name, expected, isRight) as number | undefined;
    if (given === undefined || (given >= least && given <= most)) return given;
    const range = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
    throw fields.fault(name, `expected ${expected} ${range}, came ${given}`);
  }

  return fields;
}

/** The one form of errors about a body. */
export function fieldFault(pointer: string, reason: string): CallwrightError {
  const place = pointer === "" ? "The request's body is not valid" : `The request is not valid at ${pointer}`;
  return new CallwrightError("request-invalid", `${place}: ${reason}.`, { pointer });
}

/** Refuses fields that would change the answer and have no effect here, unless they ask for what holds anyway. */
export function refuseFields(
  fields: Fields,
  unsupported: Readonly<Record<string, { readonly unless: readonly unknown[]; readonly instead?: string }>>,
): void {
  for (const [name, { unless, instead }] of Object.entries(unsupported)) {
    const given = fields.value(name);
    if (given === undefined || unless.some((value) => value === given)) continue;
    if (unless.includes("empty") && isEmpty(given)) continue;
    throw fields.fault(name, `${name} is not supported${instead === undefined ? "" : `; ${instead}`}`);
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A value's kind in words. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
}
