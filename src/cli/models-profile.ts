// `callwright models profile`: how a model is treated, value by value, and who says so, and which format its file is found
// to speak. Loads no weights.
import {
  type Catalogue,
  describeOrigin,
  explainLayers,
  type FoundModel,
  findModel,
  layersOfEndpoint,
  loadCatalogue,
  nameModel,
  profileLayers,
} from "../models/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import type { Command } from "./commander.ts";
import { fetchSettings } from "./fetch-settings.ts";
import { interruptSignal } from "./interrupt.ts";
import { jsonLine, visibleText } from "./visible-text.ts";

/** Adds `profile` to `models`. */
export function addModelsProfileCommand(models: Command): void {
  models
    .command("profile")
    .argument(
      "[model]",
      "a catalogue id, the path of a .gguf file, a hub URI or a server's address; the default model if left out",
    )
    .description("Print how a model is treated: each value, and where it comes from.")
    .option("--json", "print one JSON object on each line")
    .addHelpText("after", help)
    .action((name: string | undefined, options: { readonly json?: boolean }) =>
      printProfile(name, options.json === true),
    );
}

const help = `
A value comes from the defaults, from the model's own file, from the profile of its family, or from its entry in the
catalogue, the later winning. Entries and profiles of your own models.json lie over the shipped ones.
The first line is the format that calls get with this profile, and why; "models probe" tells more of that.

Examples:
  callwright models profile
  callwright models profile ./my-finetune.gguf
  callwright models profile qwen3-0.6b-q8_0 --json
`;

interface Described extends Pick<FoundModel, "id" | "layers">, Partial<Pick<FoundModel, "path" | "profile">> {
  /** It is not a file, and what it speaks only it can tell. */
  readonly isServer?: boolean;
}

async function printProfile(name: string | undefined, json: boolean): Promise<void> {
  const { home } = fetchSettings();
  const catalogue = await loadCatalogue({ home });
  const model = await describeModel(name ?? catalogue.default, catalogue, home);
  const values = explainLayers(model.layers);
  const { format, reason } = await chosenFormat(model, home);
  if (json) {
    process.stdout.write(
      jsonLine({ path: "chosenFormat", value: format, origin: { type: "probe", reason } }),
    );
    for (const { path, value, origin } of values) process.stdout.write(jsonLine({ path, value, origin }));
    return;
  }
  const rows = [
    ["chosenFormat", JSON.stringify(format), reason],
    ...values.map(({ path, value, origin }) => [path, JSON.stringify(value), describeOrigin(origin)]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const [path = "", value = "", origin = ""] of rows) {
    const line = `${path.padEnd(widths[0] ?? 0)}  ${value.padEnd(Math.min(widths[1] ?? 0, 40))}  ${origin}`;
    process.stdout.write(`${visibleText(line)}\n`);
  }
}

/** A model of the catalogue is explained without its file too. */
async function describeModel(name: string, catalogue: Catalogue, home: string): Promise<Described> {
  const named = nameModel(name, catalogue);
  if (named.type === "endpoint") {
    return { id: named.entry.id, isServer: true, layers: layersOfEndpoint(catalogue, named.entry) };
  }
  try {
    return await findModel(name, { home, catalogue });
  } catch (error) {
    const isMissing = error instanceof CallwrightError && error.code === "model-missing";
    if (!isMissing || named.type !== "entry") throw error;
    return {
      id: named.model.id,
      layers: profileLayers(catalogue, { id: named.model.id, entry: named.model }),
    };
  }
}

/** The format that calls get, null where that is not known, and why. */
async function chosenFormat(
  { id, path, profile, isServer = false }: Described,
  home: string,
): Promise<{ readonly format: string | null; readonly reason: string }> {
  if (isServer) return { format: null, reason: `the server has to be asked: callwright models probe ${id}` };
  if (path === undefined || profile === undefined) {
    return { format: null, reason: `the probe needs the file; get it with: callwright models pull ${id}` };
  }
  try {
    // The runtime is loaded only by commands that need it.
    const { probeModelFile } = await import("../models/local/probe-model-file.ts");
    const { choice } = await probeModelFile({ path, id, profile, home, signal: interruptSignal() });
    return { format: choice.formats[0].name, reason: choice.reason };
  } catch (error) {
    if (!(error instanceof CallwrightError) || error.code === "aborted") throw error;
    // The profile is told all the same; running the model will say this too.
    return { format: null, reason: error.message };
  }
}
