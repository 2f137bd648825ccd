// Renders a model's own Jinja chat template. Knows nothing of formats; what a template may see is decided by its callers.
import { Template } from "@huggingface/jinja";
import { CallwrightError } from "../vocabulary/index.ts";
import type { TemplateInput } from "./format.ts";

/** A template's input with the spellings of the tokens that begin and end a text, empty where there are none. */
export interface TemplateValues extends TemplateInput {
  readonly beginText: string;
  readonly endText: string;
}

// A process holds few models, so that the newest templates are all that is worth keeping.
const keptTemplates = 8;
const parsedTemplates = new Map<string, Template>();

/**
 * The template's text for a conversation. Throws `CallwrightError` (`model-unsupported`) where the template cannot be
 * parsed, and what the template itself raises.
 */
export function renderTemplate(template: string, values: TemplateValues): string {
  const { messages, tools, addGenerationPrompt, variables = {}, beginText, endText } = values;
  const parsed = readTemplate(template);
  const given = {
    ...variables,
    messages,
    add_generation_prompt: addGenerationPrompt,
    bos_token: beginText,
    eos_token: endText,
  };
  if (tools !== undefined) return parsed.render({ ...given, tools });
  try {
    // Templates are written for a `tools` that is always defined and may be none.
    return parsed.render({ ...given, tools: null });
  } catch (error) {
    return renderWithEmptyTools(parsed, given, error);
  }
}

/** Some templates go through the tools without asking whether there are any. */
function renderWithEmptyTools(parsed: Template, given: Record<string, unknown>, first: unknown): string {
  try {
    return parsed.render({ ...given, tools: [] });
  } catch {
    throw first;
  }
}

function readTemplate(template: string): Template {
  const known = parsedTemplates.get(template);
  if (known !== undefined) return known;
  const parsed = parseTemplate(template);
  const [oldest] = parsedTemplates.keys();
  if (oldest !== undefined && parsedTemplates.size >= keptTemplates) parsedTemplates.delete(oldest);
  parsedTemplates.set(template, parsed);
  return parsed;
}

function parseTemplate(template: string): Template {
  try {
    return new Template(template);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallwrightError(
      "model-unsupported",
      `The model's chat template cannot be read (${reason}); set "template.replacement" in its profile.`,
      { cause: error },
    );
  }
}
