// Renders a model's own Jinja chat template, by llama.cpp's engine where that is at hand and by a JavaScript one else.
// Knows nothing of formats; what a template may see is decided by its callers.
import { Template } from "@huggingface/jinja";
import { CallwrightError } from "../vocabulary/index.ts";
import type { TemplateInput, TemplateRenderer } from "./format.ts";
import { fixDate, writeDate } from "./template-date.ts";
import { isOversized, mostTemplateText } from "./template-size.ts";

/** Reads a template and gives what renders it with variables. Throws where the template cannot be parsed, or raises. */
export type TemplateEngine = (template: string) => (variables: Record<string, unknown>) => string;

export interface TemplateRendererOptions {
  readonly template: string;
  /** Spellings of the tokens that begin and end a text, empty where there are none. */
  readonly beginText: string;
  readonly endText: string;
  /** The day that the template is told of in every render. */
  readonly date: Date;
  /** An engine closer to the one that templates are written for than the JavaScript one, which then only steps in for it. */
  readonly engine?: TemplateEngine;
}

/**
 * A renderer of the template. It throws `CallwrightError` (`model-unsupported`) where the template cannot be parsed, is
 * longer than `mostTemplateText` or writes beyond all measure, and what the template itself raises. It cannot stop a
 * template that never ends: see `models/local/try-template.ts`.
 */
export function createTemplateRenderer(options: TemplateRendererOptions): TemplateRenderer {
  const { beginText, endText, date } = options;
  let compiled: ReturnType<TemplateEngine> | undefined;
  return ({ messages, tools, addGenerationPrompt, variables = {} }: TemplateInput): string => {
    compiled ??= compile(options);
    const render = limited(compiled);
    const given = {
      date_string: writeDate(date, "%d %b %Y"),
      ...variables,
      messages,
      add_generation_prompt: addGenerationPrompt,
      bos_token: beginText,
      eos_token: endText,
    };
    if (tools !== undefined) return render({ ...given, tools });
    try {
      // Templates are written for a `tools` that is always defined and may be none.
      return render({ ...given, tools: null });
    } catch (error) {
      // Some go through the tools without asking whether there are any.
      return instead(() => render({ ...given, tools: [] }), error);
    }
  };
}

function limited(render: ReturnType<TemplateEngine>): ReturnType<TemplateEngine> {
  return (variables) => {
    const rendered = render(variables);
    if (!isOversized(rendered, variables)) return rendered;
    throw unusable(`it wrote ${rendered.length} characters of a smaller conversation`);
  };
}

function compile({ template, date, engine }: TemplateRendererOptions): ReturnType<TemplateEngine> {
  if (template.length > mostTemplateText) {
    throw unusable(`it has ${template.length} characters, more than ${mostTemplateText}`);
  }
  const text = fixDate(template, date);
  const [first, second] = engine === undefined ? [javaScriptEngine] : [engine, javaScriptEngine];
  if (second === undefined) return first(text);
  let render: ReturnType<TemplateEngine>;
  try {
    render = first(text);
  } catch {
    return second(text);
  }
  return (variables) => {
    try {
      return render(variables);
    } catch (error) {
      return instead(() => second(text)(variables), error);
    }
  };
}

/** Another way to render; where it fails too, as on what the template itself raises, the first failure counts. */
function instead(render: () => string, first: unknown): string {
  try {
    return render();
  } catch {
    throw first;
  }
}

function javaScriptEngine(text: string): ReturnType<TemplateEngine> {
  let parsed: Template;
  try {
    parsed = new Template(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unusable(`it cannot be read: ${reason}`, error);
  }
  return (variables) => parsed.render(variables);
}

function unusable(reason: string, cause?: unknown): CallwrightError {
  const text = `The model's chat template cannot be used (${reason}); set "template.replacement" in its profile.`;
  return new CallwrightError("model-unsupported", text, { details: { reason }, ...(cause ? { cause } : {}) });
}
