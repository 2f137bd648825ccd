// Which format a model file gets and why, found without loading its weights.
import { chooseFormats, createTemplateRenderer, type FormatChoice } from "../../formats/index.ts";
import type { Profile } from "../profile.ts";
import { withPromptFacts } from "./llama-runtime.ts";

export interface ProbeModelFileOptions {
  readonly path: string;
  readonly id: string;
  readonly profile: Profile;
  readonly signal?: AbortSignal;
}

export interface ModelFileProbe {
  readonly choice: FormatChoice;
  /** Whether there is a template, of the file itself or of the profile. */
  readonly hasTemplate: boolean;
}

/** Chooses as a run with this file would. Throws `CallwrightError` as opening the model does, and `format-unknown`. */
export function probeModelFile(options: ProbeModelFileOptions): Promise<ModelFileProbe> {
  const { path, id, profile, signal } = options;
  return withPromptFacts(path, signal, (facts) => {
    const { beginText, endText, vocabulary, templateEngine: engine } = facts;
    const template = profile.template.replacement ?? facts.template;
    const specialTokens = [...vocabulary.control.values(), ...vocabulary.userDefined.values()];
    const render = createTemplateRenderer({
      template: template ?? "",
      beginText,
      endText,
      date: new Date(),
      ...(engine ? { engine } : {}),
    });
    const choice = chooseFormats({
      model: { id, specialTokens, ...(template === undefined ? {} : { template }) },
      profile,
      render,
    });
    return { choice, hasTemplate: template !== undefined };
  });
}
