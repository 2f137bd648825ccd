// `callwright models probe`: how a model will be asked for calls, and why. Of a file, reads vocabulary and template alone;
// a server is asked what it is, and a few tiny requests show what it enforces.
import { readFile } from "node:fs/promises";
import { chooseFormats, type FormatChoice, templateMends } from "../formats/index.ts";
import {
  type Catalogue,
  type EndpointEntry,
  type FoundModel,
  findModel,
  layProfiles,
  loadCatalogue,
  nameModel,
  type PartialProfile,
  resolveProfile,
} from "../models/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import type { Command } from "./commander.ts";
import { fetchSettings } from "./fetch-settings.ts";
import { interruptSignal } from "./interrupt.ts";
import { jsonLine, visibleText } from "./visible-text.ts";

interface ProbeOptions {
  readonly format?: string;
  readonly template?: string;
  readonly json?: boolean;
}

/** Adds `probe` to `models`. */
export function addModelsProbeCommand(models: Command): void {
  models
    .command("probe")
    .argument(
      "[model]",
      "a catalogue id, a .gguf file, a hub URI or a server's address; the default model if left out",
    )
    .description("Tell which format of calls a model gets, why, and what of its template is mended.")
    .option("--format <name>", "as if the profile named this format; auto leaves it to the probe")
    .option("--template <file>", "as if the file had this chat template")
    .option("--json", "print one JSON object")
    .addHelpText("after", probeHelp)
    .action((model: string | undefined, options: ProbeOptions) => probeCommand(model, options));
}

const probeHelp = `
Of a file nothing is generated: the template is rendered with small conversations, and the format's parser reads what
it wrote. A profile's "format" and "template.replacement" in models.json settle what is wrong here. A server is asked anew
for what it is and for a few words under a grammar or a schema; what it did is kept in CALLWRIGHT_HOME.

Examples:
  callwright models probe
  callwright models probe ./mine.gguf --json
  callwright models probe http://127.0.0.1:8080/v1
`;

async function probeCommand(name: string | undefined, options: ProbeOptions): Promise<void> {
  const signal = interruptSignal();
  const settings = fetchSettings();
  const asIf: PartialProfile = {
    ...(options.format === undefined ? {} : { format: options.format }),
    ...(options.template === undefined
      ? {}
      : { template: { replacement: await readTemplate(options.template) } }),
  };
  const catalogue = await loadCatalogue(settings);
  const named = nameModel(name ?? catalogue.default, catalogue);
  if (named.type === "endpoint") {
    await probeEndpoint(named.entry, { catalogue, home: settings.home, profile: asIf, signal }, options);
    return;
  }
  const found = await findModel(name, { ...settings, catalogue, signal });
  const profile = resolveProfile(layProfiles(found.profile, asIf));
  // The runtime is loaded only by commands that need it.
  const { probeModelFile } = await import("../models/local/probe-model-file.ts");
  const { path, id } = found;
  const { home } = settings;
  const { choice, hasTemplate } = await probeModelFile({ path, id, profile, home, signal });
  if (options.json === true) process.stdout.write(jsonLine(describe(found, choice, hasTemplate)));
  else process.stdout.write(visibleText(`${writeLines(found, choice, hasTemplate).join("\n")}\n`));
}

interface ProbeSetting {
  readonly catalogue: Catalogue;
  readonly home: string;
  readonly profile: PartialProfile;
  readonly signal: AbortSignal;
}

async function probeEndpoint(
  entry: EndpointEntry,
  setting: ProbeSetting,
  { json = false }: ProbeOptions,
): Promise<void> {
  // Commands that need no server need not load what asks one.
  const { openRemoteModel } = await import("../models/remote/open-remote-model.ts");
  const { model, profile, facts } = await openRemoteModel({ entry, ...setting, fresh: true });
  const choice = chooseFormats({
    model: model.info,
    profile,
    render: (input) => model.renderTemplate(input),
  });
  const { identity, behaviour, seen } = facts;
  const { template: _template, ...server } = identity;
  const { contextSize } = model.info;
  const format = choice.formats[0].name;
  await model.close();
  if (json) {
    const record = { ...server, urls: entry.urls, profile: profile.name, contextSize };
    process.stdout.write(
      jsonLine({ ...record, model: entry.id, serves: identity.model, format, ...behaviour, seen }),
    );
    return;
  }
  const enforced =
    behaviour.api === "completions"
      ? `a grammar in ${behaviour.grammarField ?? "no field: calls are checked after they are written"}`
      : `${behaviour.enforcesToolChoice ? "" : "not "}a choice of tools, ${behaviour.enforcesSchema ? "" : "not "}a schema; calls are checked after they are written`;
  const rows = [
    ["model", `${entry.id} at ${entry.urls.join(", ")}`],
    ["server", `${identity.engine} ${identity.version}`.trimEnd()],
    ["serves", `${identity.model}, window of ${contextSize} tokens`],
    ["asked by", behaviour.api],
    ["enforces", enforced],
    ["profile", profile.name],
    ["format", format],
    ["because", choice.reason],
  ] as const;
  const lines = rows.map(([title, value]) => `${title.padEnd(11)} ${value}`);
  process.stdout.write(visibleText(`${lines.join("\n")}\n`));
}

async function readTemplate(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new CallwrightError("file-unreadable", `The template ${path} cannot be read.`, { cause });
  }
}

function describe({ id, path, profile }: FoundModel, choice: FormatChoice, hasTemplate: boolean) {
  const { formats, confirmed, reason, template } = choice;
  return {
    model: id,
    path,
    profile: profile.name,
    format: formats[0].name,
    reason,
    confirmed,
    watched: formats.map((format) => format.name),
    hasTemplate,
    fallback: choice.fallback ?? null,
    tellsOfTools: template.tellsOfTools,
    writesCalls: template.writesCalls,
    lostValues: template.lostValues,
    traits: template.traits,
    mends: templateMends(choice),
  };
}

function writeLines(found: FoundModel, choice: FormatChoice, hasTemplate: boolean): readonly string[] {
  const { formats, confirmed, reason, template, fallback } = choice;
  const rows = [
    ["model", found.id],
    ["profile", found.profile.name],
    ["format", formats[0].name],
    ["because", reason],
    ["confirmed", confirmedText(confirmed, hasTemplate)],
    ["openers of", formats.map((format) => format.name).join(", ")],
    [
      "template",
      fallback ?? (hasTemplate ? "can be used" : "none: a base model, asked by a plain transcript"),
    ],
  ] as const;
  const mends = templateMends(choice).map((mend) => `mended: ${mend}`);
  const raised = hasTemplate ? template.traits.faults.map((fault) => `raised: ${fault}`) : [];
  return [...rows.map(([name, value]) => `${name.padEnd(11)} ${value}`), ...mends, ...raised];
}

function confirmedText(confirmed: boolean, hasTemplate: boolean): string {
  if (!hasTemplate) return "nothing to confirm without a template";
  return confirmed ? "yes, the template's own call was read back" : "no, the template wrote no such call";
}
