// Which format a model gets: by what its own template writes, confirmed by reading that back, then by its name.
// A model without any tools block gets the generic format, never an error.
import { CallwrightError } from "../vocabulary/index.ts";
import type { ChatTemplate, Format, TemplateRenderer, TemplateTraits } from "./format.ts";
import { hermesJson } from "./hermes-json.ts";
import { jsonFence } from "./json-fence.ts";
import { plainJson } from "./plain-json.ts";
import { plainTranscript } from "./plain-transcript.ts";
import { probeCall, probeTemplate } from "./probe-template.ts";
import { createTurnParser } from "./turn-parser.ts";

/** Every format that a model can be driven in. */
export const formats: readonly Format[] = [hermesJson, jsonFence, plainJson];

export interface FormatChoiceRequest {
  /** What the file says of itself. */
  readonly model: { readonly id: string; readonly template?: string };
  readonly profile: {
    readonly name: string;
    /** A format's name, or `auto`. */
    readonly format: string;
    /** Names of formats whose openers the model uses; empty: all there are. */
    readonly openers: readonly string[];
  };
  /** Renders the file's own template; not used where there is none. */
  readonly render: TemplateRenderer;
}

export interface FormatChoice {
  /** The chosen format, then those whose openers are watched for beside its own. */
  readonly formats: readonly [Format, ...Format[]];
  readonly template: ChatTemplate;
  /** Why the file's own template gives way to a plain transcript; absent where it does not, or where there is none. */
  readonly fallback?: string;
  /** Why, in one line for people. */
  readonly reason: string;
}

/** Probes the template and chooses. Throws `CallwrightError` (`format-unknown`) only for a name that no format has. */
export function chooseFormats(request: FormatChoiceRequest): FormatChoice {
  const { model, profile } = request;
  const own = model.template === undefined ? undefined : knownTraits(model.template, request.render);
  const isUsable = own?.user ?? false;
  const traits = isUsable && own !== undefined ? own : probeTemplate(plainTranscript);
  const written = formats.find((format) => readsBack(format, traits.callText));
  const { format, reason } = decide(request, own, written);
  const watched = profile.openers.length > 0 ? profile.openers.map(findFormat) : formats;
  return {
    formats: [format, ...watched.filter((other) => other !== format)],
    template: {
      render: isUsable ? request.render : plainTranscript,
      traits,
      tellsOfTools: traits.showsTools && written !== undefined,
    },
    ...(own === undefined || isUsable ? {} : { fallback: faultOf(own) }),
    reason,
  };
}

function faultOf(traits: TemplateTraits): string {
  return traits.faults[0] ?? "it prints no messages";
}

// What a template does is asked anew in every turn, but is always the same.
const keptTraits = 16;
const traitsByTemplate = new Map<string, TemplateTraits>();

function knownTraits(template: string, render: TemplateRenderer): TemplateTraits {
  const known = traitsByTemplate.get(template);
  if (known !== undefined) return known;
  const traits = probeTemplate(render);
  const [oldest] = traitsByTemplate.keys();
  if (oldest !== undefined && traitsByTemplate.size >= keptTraits) traitsByTemplate.delete(oldest);
  traitsByTemplate.set(template, traits);
  return traits;
}

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

function decide(
  { model, profile }: FormatChoiceRequest,
  traits: TemplateTraits | undefined,
  written: Format | undefined,
): { readonly format: Format; readonly reason: string } {
  if (profile.format !== "auto") {
    return { format: findFormat(profile.format), reason: `the profile names ${profile.format}` };
  }
  if (traits === undefined)
    return { format: plainJson, reason: "the file has no chat template (a base model)" };
  if (!traits.user) {
    const reason = `the template cannot be used here (${faultOf(traits)}); a plain transcript is`;
    return { format: plainJson, reason };
  }
  if (written === undefined) {
    const why =
      traits.callText === undefined ? "shows no past calls" : "writes past calls in a form not known here";
    return { format: plainJson, reason: `the template ${why}` };
  }
  // Measured: these models write a code fence although their template shows tags.
  if ([model.id, profile.name].some((name) => /coder/i.test(name))) {
    return { format: jsonFence, reason: "a coder model, which writes fences whatever its template shows" };
  }
  return { format: written, reason: `the template writes calls as ${written.name}, and they read back` };
}

/** Whether the format's own parser finds the probe's call in what the template wrote. */
function readsBack(format: Format, callText: string | undefined): boolean {
  if (callText === undefined) return false;
  const parser = createTurnParser({ formats: [format] });
  const calls = [...parser.push(callText), ...parser.finish()].filter((event) => event.type === "call-end");
  const [call] = calls;
  const isSame = JSON.stringify(call?.input) === JSON.stringify(probeCall.input);
  return calls.length === 1 && call?.name === probeCall.name && isSame;
}
