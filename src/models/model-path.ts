// Where a model's file lives in the cache: one place per model, decided by its id or hub URI alone.
import { join } from "node:path";
import { CallwrightError } from "../vocabulary/index.ts";
import { modelsFolder } from "./home-folder.ts";
import { parseHubUri } from "./sources/hub-source.ts";

/** The file of a catalogue id (`models/ID.gguf`) or hub URI (`models/hub/owner/repo/revision/file`). */
export function modelPath(home: string, id: string): string {
  const file = parseHubUri(id);
  if (file !== undefined) {
    const { owner, repository, revision } = file;
    const steps = [owner, repository, revision.replaceAll("/", "--"), ...file.file.split("/")];
    return join(modelsFolder(home), "hub", ...steps);
  }
  // The id becomes a file's name: anything that could name a place elsewhere is refused here, whoever calls.
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(id)) {
    throw new CallwrightError("model-unknown", `"${id}" is neither a model's id nor a hub URI.`);
  }
  return join(modelsFolder(home), `${id}.gguf`);
}
