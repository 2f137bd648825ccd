// A renderer of a model's chat template that is safe to call: a template that failed its trial is never rendered.
import { createTemplateRenderer, type TemplateEngine, type TemplateRenderer } from "../../formats/index.ts";
import { templateFault } from "./try-template.ts";

export interface OpenRendererOptions {
  readonly template: string;
  readonly beginText: string;
  readonly endText: string;
  readonly home: string;
  /** llama.cpp's own engine, where this build has it, and its version. */
  readonly engine: TemplateEngine | undefined;
  readonly engineVersion: string;
  readonly signal?: AbortSignal;
}

/** Tries the template where it is not known. A renderer of one that must not be used throws the reason, which the probe tells. */
export async function openRenderer(options: OpenRendererOptions): Promise<TemplateRenderer> {
  const { template, beginText, endText, home, engine, engineVersion, signal } = options;
  const fault = await templateFault({
    template,
    beginText,
    endText,
    home,
    engine: engine === undefined ? "javascript" : engineVersion,
    ...(signal ? { signal } : {}),
  });
  if (fault !== undefined) {
    return () => {
      throw new Error(fault);
    };
  }
  return createTemplateRenderer({
    template,
    beginText,
    endText,
    date: new Date(),
    ...(engine ? { engine } : {}),
  });
}
