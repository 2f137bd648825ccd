// Opens a model for the verifying programs: by catalogue id, path or hub URI, fetched where it is missing.
// They are commands that say so: whoever runs them wants the weights.
import type { DecodeContext } from "../../src/decode/turn-request.ts";
import { findModel } from "../../src/models/find-model.ts";
import { homeFolder } from "../../src/models/home-folder.ts";
import type { SpeedLevers } from "../../src/models/local/local-model.ts";
import { openLocalModel } from "../../src/models/local/open-local-model.ts";
import { type PartialProfile, resolveProfile } from "../../src/models/profile.ts";

/** The catalogue's models that the checks are stated for. */
export const smallestModel = "smollm2-135m-instruct-q4_1";
export const defaultModel = "qwen2.5-coder-0.5b-instruct-q4_k_m";

/** The caller closes `context.model`. `profile` is laid over the model's own. */
export async function openBenchModel(
  name: string,
  profile: PartialProfile = {},
  speed: Partial<SpeedLevers> = {},
): Promise<DecodeContext> {
  const found = await findModel(name, {
    home: homeFolder(),
    fetch: true,
    onNotice: (text) => process.stderr.write(`${text}\n`),
  });
  const merged = resolveProfile(found.profile, profile);
  const model = await openLocalModel({
    path: found.path,
    id: found.id,
    profile: merged,
    stateBytes: 0,
    speed,
  });
  return { model, profile: merged };
}
