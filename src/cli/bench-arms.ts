// What `callwright bench calls` asks: our engine with parts of it switched off or over, or a server.
import { createEndpointArm, type Route } from "../bench/arms/endpoint-arm.ts";
import { createEngineArm } from "../bench/arms/engine-arm.ts";
import type { Arm } from "../bench/bench-item.ts";
import type { Levers } from "../decode/levers.ts";
import { layProfiles, type PartialProfile } from "../models/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import { type ModelOptions, openEngine } from "./model-options.ts";

export interface ArmOptions extends ModelOptions {
  /** Names of parts. */
  readonly without: readonly string[];
  readonly grammar?: Levers["grammar"];
  readonly toolText?: Levers["toolText"];
  readonly endpoint?: string;
  readonly route: Route;
  readonly apiKey?: string;
}

interface Switch {
  readonly levers?: Partial<Levers>;
  /** Laid over the model's profile. */
  readonly profile?: PartialProfile;
}

const allTools: PartialProfile = { diet: { descriptions: "full", share: 1 } };

/** What switches each part off. Both kinds are the engine's own options, open to every caller. */
const parts: Readonly<Record<string, Switch>> = {
  grammar: { levers: { grammar: "off" } },
  repair: { levers: { repair: false } },
  rewind: { levers: { rewind: false } },
  retry: { levers: { rewind: false, askAgain: false } },
  opening: { levers: { forceOpening: false } },
  // All tools with all of their descriptions, as long as they fit the window at all.
  diet: { profile: allTools },
  trimming: { profile: { ...allTools, context: { resultShare: 1 } } },
  instruction: { profile: { calls: { instruction: "" } } },
};

export const partNames: readonly string[] = Object.keys(parts);
export const grammarModes: readonly Levers["grammar"][] = ["full", "names", "late", "off"];
export const toolTexts: readonly Levers["toolText"][] = ["template", "format"];

/** Opens the model or names the server. Throws `CallwrightError` as `createEngine` does, and where a server has no model. */
export async function openArm(options: ArmOptions, seed: number): Promise<Arm> {
  const maxTokens = options.maxTokens ?? 512;
  if (options.endpoint !== undefined)
    return openEndpoint(options, { endpoint: options.endpoint, maxTokens, seed });
  const { levers, profile: laid, names } = switchesOf(options);
  const engine = await openEngine(options, { profile: laid, sequences: 1, stateBytes: 0 });
  const { model, profile } = await engine.open();
  const name = [model.id, ...names].join(" ");
  return createEngineArm({ name, engine, levers, seed, maxTokens, provenance: { model, profile } });
}

/** What the options switch, and how it is called. */
export function switchesOf({
  without,
  grammar,
  toolText,
}: Pick<ArmOptions, "without" | "grammar" | "toolText">): {
  readonly levers: Partial<Levers>;
  readonly profile: PartialProfile;
  readonly names: readonly string[];
} {
  const off = without.map((name) => parts[name] ?? {});
  return {
    levers: {
      ...Object.assign({}, ...off.map((part) => part.levers)),
      ...(grammar === undefined ? {} : { grammar }),
      ...(toolText === undefined ? {} : { toolText }),
    },
    profile: layProfiles(...off.map((part) => part.profile ?? {})),
    names: [
      ...without.map((part) => `without ${part}`),
      ...(grammar === undefined ? [] : [`grammar ${grammar}`]),
      ...(toolText === undefined ? [] : [`tool text by ${toolText}`]),
    ],
  };
}

function openEndpoint(
  { model, apiKey, route }: ArmOptions,
  {
    endpoint,
    maxTokens,
    seed,
  }: { readonly endpoint: string; readonly maxTokens: number; readonly seed: number },
): Arm {
  if (model === undefined) {
    throw new CallwrightError("request-invalid", "With --endpoint, --model has to name the server's model.");
  }
  return createEndpointArm({
    name: `${model} endpoint ${route}`,
    url: endpoint,
    model,
    ...(apiKey === undefined ? {} : { apiKey }),
    route,
    maxTokens,
    seed,
    provenance: {},
  });
}
