// llama.cpp's engine for chat templates without a model, as the runtime hands it to a model's renderer.
import { getLlama } from "node-llama-cpp";
import {
  createTemplateRenderer,
  type TemplateEngine,
  type TemplateRenderer,
} from "../../src/formats/index.ts";
import { nativeTemplateEngine } from "../../src/models/local/native-template.ts";

/** Fails where the installed llama.cpp has no such engine. */
export async function loadLlamaEngine(): Promise<TemplateEngine> {
  const engine = nativeTemplateEngine(await getLlama({ build: "never", gpu: false, progressLogs: false }));
  if (engine === undefined) throw new Error("this build of node-llama-cpp has no template engine");
  return engine;
}

/** A renderer as a model of the file with this template has it. */
export function realRenderer(template: string, engine: TemplateEngine | undefined): TemplateRenderer {
  return createTemplateRenderer({
    template,
    beginText: "<s>",
    endText: "</s>",
    date: new Date(2026, 2, 5),
    ...(engine ? { engine } : {}),
  });
}
