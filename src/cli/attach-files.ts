// Adds the text of files to a prompt: those of `--file`, and those that the prompt names as `@path`.
import { readText, type Workspace } from "../tools/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";

/** Characters of one file; the window may hold less, of which the run then tells. */
const longestFile = 60_000;

/** The prompt with the files behind it. An `@word` that is no file of the workspace stays a word. */
export async function attachFiles(
  prompt: string,
  files: readonly string[],
  workspace: Workspace,
): Promise<string> {
  const named = [...prompt.matchAll(/(?<=^|\s)@(?:"([^"]+)"|([^\s"]+))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  const texts: string[] = [];
  for (const written of new Set([...files, ...named])) {
    const real = await workspace.existing(written).catch((error: unknown) => {
      if (!files.includes(written)) return undefined;
      throw new CallwrightError("file-unreadable", error instanceof Error ? error.message : String(error));
    });
    if (real !== undefined) texts.push(await readAttached(workspace, real));
  }
  return [prompt, ...texts].join("\n\n");
}

async function readAttached(workspace: Workspace, real: string): Promise<string> {
  const name = workspace.display(real);
  const file = await readText(workspace, real);
  if (file.type !== "text") return `[${name}: ${file.bytes} bytes, no text that could be shown]`;
  const cut = file.text.length > longestFile ? `\n[… ${file.text.length - longestFile} characters cut]` : "";
  return `[${name}]\n${file.text.slice(0, longestFile)}${cut}`;
}
