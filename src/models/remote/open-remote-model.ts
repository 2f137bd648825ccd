// Opens an endpoint of the catalogue: learns what its servers are and do, and gives the `Model` and the profile for it.
import { chatReasoning } from "../../formats/index.ts";
import { CallwrightError } from "../../vocabulary/index.ts";
import { type Catalogue, layersOfEndpoint } from "../catalogue.ts";
import type { EndpointEntry } from "../endpoint-entry.ts";
import { homeFolder, inheritedEnvironment } from "../home-folder.ts";
import { openRenderer } from "../local/open-renderer.ts";
import type { Model, ModelInfo } from "../model.ts";
import { type PartialProfile, type Profile, resolveProfile } from "../profile.ts";
import { type ProfileLayer, resolveLayers } from "../profile-layers.ts";
import { createChatModel } from "./chat-model.ts";
import { createCompletionsModel } from "./completions-model.ts";
import type { EndpointFacts } from "./endpoint-facts.ts";
import { type LearnOptions, learnEndpoint } from "./learn-endpoint.ts";
import { createReplicas, defaultReplicaOptions, type ReplicaOptions } from "./replicas.ts";
import { defaultServerLimits, type ServerAddress, type ServerLimits } from "./server-address.ts";

export interface OpenRemoteModelOptions {
  readonly entry: EndpointEntry;
  readonly catalogue: Catalogue;
  /** Laid over what the catalogue says. */
  readonly profile?: PartialProfile;
  /** Tokens of the window; never more than the server has. */
  readonly contextSize?: number;
  readonly home?: string;
  /** Where the key's variable is looked up. Default: the process's own. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Ask the server anew whatever is known of it. */
  readonly fresh?: boolean;
  readonly limits?: Partial<ServerLimits>;
  readonly replicas?: Partial<ReplicaOptions>;
  readonly loading?: LearnOptions["loading"];
  readonly onNotice?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface OpenedRemoteModel {
  readonly model: Model;
  readonly profile: Profile;
  readonly facts: EndpointFacts;
}

/**
 * Throws `CallwrightError`: `request-invalid` where the key's variable is not set, `endpoint-unreachable`,
 * `endpoint-refused`, `endpoint-invalid`, `model-unknown`, `catalogue-invalid`, `profile-invalid`, `aborted`.
 */
export async function openRemoteModel(options: OpenRemoteModelOptions): Promise<OpenedRemoteModel> {
  const { entry, catalogue, signal, home = homeFolder(), profile: own = {} } = options;
  const servers = addressesOf(options);
  const guess = profileOf(catalogue, entry, own);
  const replacement = guess(undefined).template.replacement;
  const facts = await learnEndpoint({
    entry,
    servers,
    home,
    ...(replacement === undefined ? {} : { template: replacement }),
    ...(options.fresh === undefined ? {} : { fresh: options.fresh }),
    ...(options.loading === undefined ? {} : { loading: options.loading }),
    ...(options.onNotice === undefined ? {} : { onNotice: options.onNotice }),
    ...(signal === undefined ? {} : { signal }),
  });
  const profile = guess(facts);
  const replicas = createReplicas(servers, { ...defaultReplicaOptions, ...options.replicas });
  const info = infoOf(options, profile, facts);
  if (facts.behaviour.api === "chat")
    return { model: createChatModel({ info, facts, replicas }), profile, facts };
  const { beginText, endText } = facts.identity;
  const render = await openRenderer({
    template: info.template ?? "",
    beginText,
    endText,
    home,
    engine: undefined,
    engineVersion: "javascript",
    ...(signal === undefined ? {} : { signal }),
  });
  return { model: createCompletionsModel({ info, facts, replicas, render }), profile, facts };
}

function addressesOf({
  entry,
  limits,
  environment = inheritedEnvironment(),
}: OpenRemoteModelOptions): readonly ServerAddress[] {
  const { urls, keyVariable, headers = {} } = entry;
  const value = keyVariable === undefined ? undefined : environment[keyVariable]?.trim();
  if (keyVariable !== undefined && (value === undefined || value === "")) {
    throw new CallwrightError(
      "request-invalid",
      `The endpoint ${entry.id} needs a key: set the environment variable ${keyVariable}.`,
    );
  }
  return urls.map((url) => ({
    url: url.replace(/\/+$/, ""),
    headers,
    limits: { ...defaultServerLimits, ...limits },
    ...(keyVariable === undefined || value === undefined ? {} : { key: { variable: keyVariable, value } }),
  }));
}

/** The profile before and after the server is known. */
function profileOf(catalogue: Catalogue, entry: EndpointEntry, own: PartialProfile) {
  return (facts: EndpointFacts | undefined): Profile => {
    const layers = layersOfEndpoint(catalogue, entry, facts?.identity);
    if (facts?.behaviour.api !== "chat") return resolveProfile(resolveLayers(layers), own);
    // The first holds the defaults of all models.
    const [defaults, others] = [layers.slice(0, 1), layers.slice(1)];
    return resolveProfile(resolveLayers([...defaults, chatDefaults(facts), ...others, chatLayer]), own);
  };
}

/** What holds for a chat server's model unless its family or its entry says otherwise. */
function chatDefaults({ identity }: EndpointFacts): ProfileLayer {
  const effort = { variable: "reasoning_effort", low: "low", medium: "medium", high: "high" };
  return {
    origin: { type: "default" },
    values: {
      // OpenAI's own models are told an effort only.
      reasoning: {
        switch: { effort, ...(identity.engine === "openai" ? {} : { variable: "enable_thinking" }) },
      },
      // Their reasoning counts, and nothing here ends it.
      context: { reserve: 4096 },
    },
  };
}

/** Over a chat API it is the server that knows how its model writes and thinks. */
const chatLayer: ProfileLayer = {
  origin: { type: "default" },
  values: {
    format: "chat-api",
    openers: ["chat-api", "json-fence", "plain-json"],
    reasoning: { marks: chatReasoning },
  },
};

function infoOf(
  { entry, contextSize }: OpenRemoteModelOptions,
  profile: Profile,
  { identity, behaviour }: EndpointFacts,
): ModelInfo {
  const isChat = behaviour.api === "chat";
  const template = profile.template.replacement ?? identity.template;
  const trained = identity.trainedContextSize ?? identity.contextSize;
  const sizes = [
    contextSize ?? entry.context ?? identity.contextSize ?? profile.context.size,
    identity.contextSize,
    trained,
  ];
  return {
    id: entry.id,
    architecture: identity.engine,
    contextSize: Math.min(...sizes.filter((size) => size !== undefined)),
    ...(trained === undefined ? {} : { trainedContextSize: trained }),
    vocabularySize: 0,
    // Each request carries the whole text, so that any tail of it can be left out.
    rollback: "any",
    continuesPrefix: !isChat,
    enforcesGrammar: behaviour.grammarField !== undefined,
    givesProbabilities: false,
    ...(isChat || template === undefined ? {} : { template }),
    specialTokens: behaviour.specialTokens,
    // A server's grammar engine matches these by their spelling.
    controlTokens: [],
  };
}
