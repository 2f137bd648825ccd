// Which format a model gets: what its template, its vocabulary or its name speak for, confirmed by reading back a call
// that its own template writes. A model that nothing speaks for gets a generic format, never an error.
import { type Hint, readFingerprints } from "./fingerprints.ts";
import type { ChatTemplate, Format, TemplateRenderer, TemplateTraits } from "./format.ts";
import { hermesJson } from "./hermes-json.ts";
import { jsonFence } from "./json-fence.ts";
import { commonFormats, findFormat, formats } from "./known-formats.ts";
import { plainJson } from "./plain-json.ts";
import { plainTranscript } from "./plain-transcript.ts";
import { probeTemplate } from "./probe-template.ts";
import { lostValues, readsBack, writesLike } from "./read-back.ts";

export interface FormatChoiceRequest {
  /** What the file says of itself. */
  readonly model: {
    readonly id: string;
    readonly template?: string;
    readonly specialTokens?: readonly string[];
  };
  readonly profile: {
    readonly name: string;
    /** A format's name, or `auto`. */
    readonly format: string;
    /** Names of formats whose openers the model uses; empty: its own format's, and those that any model may use. */
    readonly openers: readonly string[];
  };
  /** Renders the file's own template; not used where there is none. */
  readonly render: TemplateRenderer;
}

export interface FormatChoice {
  /** The chosen format, then those whose openers are watched for beside its own. */
  readonly formats: readonly [Format, ...Format[]];
  readonly template: ChatTemplate;
  /** Whether the format's own parser found the probe's call in what the template wrote. */
  readonly confirmed: boolean;
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
  const native = isUsable && own !== undefined ? nativeFormat(request, own) : undefined;
  const { format, reason } = decide(request, own, native);
  const confirmed = isUsable && readsBack(format, traits.callText);
  const watched = profile.openers.length > 0 ? profile.openers.map(findFormat) : commonFormats;
  return {
    formats: [format, ...watched.filter((other) => other !== format)],
    template: {
      render: isUsable ? request.render : plainTranscript,
      isPlain: !isUsable,
      traits,
      tellsOfTools: traits.showsTools && native !== undefined,
      writesCalls: confirmed,
      lostValues: confirmed ? lostValues(format, traits, request.render) : [],
    },
    confirmed,
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
  // One that cannot be used may only not have been tried; its renderer says so, at no cost.
  if (!traits.user) return traits;
  const [oldest] = traitsByTemplate.keys();
  if (oldest !== undefined && traitsByTemplate.size >= keptTraits) traitsByTemplate.delete(oldest);
  traitsByTemplate.set(template, traits);
  return traits;
}

interface Decision {
  readonly format: Format;
  readonly reason: string;
}

function decide(
  request: FormatChoiceRequest,
  traits: TemplateTraits | undefined,
  native: Decision | undefined,
): Decision {
  const { profile } = request;
  if (profile.format !== "auto") {
    return { format: findFormat(profile.format), reason: `the profile names ${profile.format}` };
  }
  if (traits === undefined)
    return { format: plainJson, reason: "the file has no chat template (a base model)" };
  if (!traits.user) {
    const reason = `the template cannot be used here (${faultOf(traits)}); a plain transcript is`;
    return { format: plainJson, reason };
  }
  // Measured: these models write a code fence although their template shows tags.
  if (namesOf(request).some((name) => /coder/i.test(name)) && (native?.format ?? hermesJson) === hermesJson) {
    return { format: jsonFence, reason: "a coder model, which writes fences whatever its template shows" };
  }
  if (native !== undefined) return native;
  const why =
    traits.callText === undefined ? "shows no past calls" : "writes past calls in a form not known here";
  return { format: plainJson, reason: `the template ${why}` };
}

/** The format that the model was trained for, by all that the file says; undefined where nothing speaks for one. */
function nativeFormat(request: FormatChoiceRequest, traits: TemplateTraits): Decision | undefined {
  const hints = readFingerprints({
    template: request.model.template ?? "",
    specialTokens: request.model.specialTokens ?? [],
    names: namesOf(request),
  }).flatMap((hint) => {
    const format = formats.find(({ name }) => name === hint.format);
    return format === undefined ? [] : [{ ...hint, format }];
  });
  const { callText } = traits;
  if (callText === undefined) {
    const [first] = hints;
    return first && { format: first.format, reason: `${first.reason}; it shows no past calls` };
  }
  const hinted = hints.find(({ format }) => readsBack(format, callText));
  const format =
    hinted?.format ??
    formats.find((candidate) => readsBack(candidate, callText) && writesLike(candidate, callText));
  return format && { format, reason: confirmedReason(format, hinted) };
}

function confirmedReason({ name }: Format, hint: Pick<Hint, "reason"> | undefined): string {
  const readBack = `the template writes calls as ${name}, and they read back`;
  return hint === undefined ? readBack : `${hint.reason}; ${readBack}`;
}

function namesOf({ model, profile }: FormatChoiceRequest): readonly string[] {
  return [model.id, profile.name];
}
