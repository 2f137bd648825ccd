// The same small check for what an engine is made with.
import { parseProfile } from "../models/profile-schema.ts";
import { CallwrightError, findNonJson } from "../vocabulary/index.ts";
import {
  checkKeys,
  checkLimits,
  checkPermissions,
  checkSignal,
  checkToolList,
  invalid,
  isObject,
  nameKind,
} from "./check-request.ts";

const modelFunctions = ["generate", "score", "renderTemplate", "countTokens", "close"] as const;
const listeners = ["onLoad", "onProgress", "onNotice"] as const;
/** Whole numbers, each with the least it may be. */
const numbers = { contextSize: 1, gpuLayers: 0, threads: 0, sequences: 1, stateBytes: 0 } as const;
const optionKeys = [
  "model",
  "profile",
  "tools",
  "limits",
  "permissions",
  "signal",
  "home",
  "fetch",
  "kinds",
  "hub",
  "traceContent",
  ...listeners,
  ...Object.keys(numbers),
];

/** Throws `request-invalid`, or `profile-invalid` for the profile, with a pointer into the options. */
export function checkOptions(options: unknown): void {
  if (!isObject(options)) throw invalid("", `expected an object of options, came ${nameKind(options)}`);
  checkKeys(options, optionKeys);
  checkModel(options.model);
  checkProfile(options.profile);
  if (options.tools !== undefined) checkToolList(options.tools);
  checkLimits(options.limits);
  checkPermissions(options.permissions);
  checkSignal(options.signal);
  for (const [key, least] of Object.entries(numbers)) {
    const value = options[key];
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least)) continue;
    throw invalid(`/${key}`, `expected a whole number of at least ${least}, came ${nameKind(value)}`);
  }
  for (const key of listeners) {
    const value = options[key];
    if (value === undefined || typeof value === "function") continue;
    throw invalid(`/${key}`, `expected a function, came ${nameKind(value)}`);
  }
  const { home, fetch, traceContent } = options;
  if (traceContent !== undefined && typeof traceContent !== "boolean") {
    throw invalid("/traceContent", `expected true or false, came ${nameKind(traceContent)}`);
  }
  if (home !== undefined && typeof home !== "string") {
    throw invalid("/home", `expected a folder's path, came ${nameKind(home)}`);
  }
  if (fetch !== undefined && typeof fetch !== "boolean") {
    throw invalid("/fetch", `expected true or false, came ${nameKind(fetch)}`);
  }
}

function checkModel(model: unknown): void {
  if (model === undefined || typeof model === "string") return;
  const isModel =
    isObject(model) &&
    isObject(model.info) &&
    modelFunctions.every((name) => typeof model[name] === "function");
  if (isModel) return;
  throw invalid(
    "/model",
    `expected a catalogue id, a path, a hub URI or an opened model, came ${nameKind(model)}`,
  );
}

function checkProfile(profile: unknown): void {
  if (profile === undefined) return;
  const stranger = findNonJson(profile);
  if (stranger !== undefined) {
    const pointer = `/profile${stranger.pointer}`;
    throw new CallwrightError(
      "profile-invalid",
      `The profile in the engine's options is not valid at ${pointer}: expected JSON, came ${stranger.came}.`,
      { pointer },
    );
  }
  parseProfile(profile, { file: "the engine's options", pointer: "/profile" });
}
