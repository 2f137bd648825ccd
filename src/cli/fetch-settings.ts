// What the environment and the command line say about fetching models: which kinds of source, which hub, whose token.
import { type FetchModelOptions, homeFolder, type SourceKind, sourceKinds } from "../models/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";

/** Settings that every command which may fetch passes on. `source` is the command line's `--source`. */
export function fetchSettings(
  source?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Pick<FetchModelOptions, "home" | "kinds" | "hub"> {
  const { CALLWRIGHT_SOURCES, HF_ENDPOINT, HF_TOKEN } = environment;
  const kinds =
    source === undefined
      ? parseSourceKinds(CALLWRIGHT_SOURCES, "CALLWRIGHT_SOURCES")
      : parseSourceKinds(source, "--source");
  const hub = {
    url: HF_ENDPOINT || "https://huggingface.co",
    ...(HF_TOKEN ? { token: HF_TOKEN } : {}),
  };
  return { home: homeFolder({ environment }), hub, ...(kinds === undefined ? {} : { kinds }) };
}

/** A comma list of kinds of source; undefined, which means all, where it is empty. */
export function parseSourceKinds(
  list: string | undefined,
  origin: string,
): readonly SourceKind[] | undefined {
  const names = (list ?? "").split(",").flatMap((name) => name.trim().toLowerCase() || []);
  if (names.length === 0) return undefined;
  return names.map((name) => {
    const kind = sourceKinds.find(
      (known) => known === name || (known === "wheels" && name === "python-wheels"),
    );
    if (kind !== undefined) return kind;
    throw new CallwrightError(
      "request-invalid",
      `${origin} names "${name}"; a kind of source is ${sourceKinds.join(", ")}.`,
    );
  });
}
