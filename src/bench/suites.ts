// The suites by name.
import { CallwrightError } from "../vocabulary/index.ts";
import type { Suite } from "./bench-item.ts";
import { loadBfcl } from "./bfcl/bfcl-suite.ts";
import type { DataSetOptions } from "./bfcl/data-set.ts";
import { readSuite, readSuiteFolder } from "./own/read-suite.ts";

/** Folders of `bench/suites/`. */
const ownSuites = ["restraint", "hard-schemas", "many-tools", "agents", "tasks"];

const loaders: Readonly<Record<string, (options: DataSetOptions) => Promise<Suite>>> = {
  bfcl: loadBfcl,
  ...Object.fromEntries(ownSuites.map((name) => [name, async () => readSuite(name)])),
};

export const suiteNames = Object.keys(loaders);

/** What a suite measures, in its first sentence. */
export function suiteAbout(name: string): string {
  if (name === "bfcl")
    return "The single-turn items of the Berkeley Function-Calling Leaderboard, by its own rules.";
  const { about } = readSuiteFolder(name).suite;
  return about.slice(0, about.indexOf(". ") + 1) || about;
}

/** Throws `CallwrightError` (`request-invalid`) for a name that no suite has. */
export function loadSuite(name: string, options: DataSetOptions): Promise<Suite> {
  const load = loaders[name];
  if (load !== undefined) return load(options);
  throw new CallwrightError(
    "request-invalid",
    `There is no suite "${name}"; there are ${suiteNames.join(", ")}.`,
  );
}
