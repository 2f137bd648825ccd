// llama.cpp's own Jinja engine, which renders templates as they were written for (Python's Jinja), to the byte in nearly
// all cases. node-llama-cpp keeps it to itself; this is the one place that reaches for it, and goes without where it is gone.
import type { TemplateEngine } from "../../formats/index.ts";

type RendererClass = new (template: string) => { render(variables: Record<string, unknown>): string };

/** The engine inside a loaded llama.cpp (node-llama-cpp's `Llama`); undefined where this build has none. */
export function nativeTemplateEngine(llama: object): TemplateEngine | undefined {
  const bindings = (llama as { _bindings?: { AddonJinjaRenderer?: unknown } })._bindings;
  const Renderer = bindings?.AddonJinjaRenderer;
  if (typeof Renderer !== "function") return undefined;
  return (template) => {
    const renderer = explained(() => new (Renderer as RendererClass)(template));
    return (variables) => explained(() => renderer.render(variables));
  };
}

/** The engine's messages show the place in the template over several lines; only what is wrong is kept of them. */
function explained<T>(action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const raised =
      /\nError: (?:Jinja Exception: )?([\s\S]+)$/.exec(text) ?? /Parser Error: ([^\n]+)/.exec(text);
    throw new Error(raised?.[1] ?? text, { cause });
  }
}
