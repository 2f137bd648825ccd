// Which format a model file gets and why, found without loading its weights.
import { chooseFormats, type FormatChoice } from "../../formats/index.ts";
import { homeFolder } from "../home-folder.ts";
import type { Profile } from "../profile.ts";
import { withPromptFacts } from "./llama-runtime.ts";
import { openRenderer } from "./open-renderer.ts";

export interface ProbeModelFileOptions {
  readonly path: string;
  readonly id: string;
  readonly profile: Profile;
  /** Where verdicts on templates are kept. Default: the user's own folder. */
  readonly home?: string;
  readonly signal?: AbortSignal;
}

export interface ModelFileProbe {
  readonly choice: FormatChoice;
  /** Whether there is a template, of the file itself or of the profile. */
  readonly hasTemplate: boolean;
}

/** Chooses as a run with this file would. Throws `CallwrightError` as opening the model does, and `format-unknown`. */
export function probeModelFile(options: ProbeModelFileOptions): Promise<ModelFileProbe> {
  const { path, id, profile, home = homeFolder(), signal } = options;
  return withPromptFacts(path, signal, async (facts) => {
    const { beginText, endText, vocabulary, templateEngine: engine, engineVersion } = facts;
    const template = profile.template.replacement ?? facts.template;
    const specialTokens = [...vocabulary.control.values(), ...vocabulary.userDefined.values()];
    const render =
      template === undefined
        ? noTemplate
        : await openRenderer({
            template,
            beginText,
            endText,
            home,
            engine,
            engineVersion,
            ...(signal ? { signal } : {}),
          });
    const choice = chooseFormats({
      model: { id, specialTokens, ...(template === undefined ? {} : { template }) },
      profile,
      render,
    });
    return { choice, hasTemplate: template !== undefined };
  });
}

/** A base model's, which nobody calls. */
function noTemplate(): string {
  throw new Error("there is no template");
}
