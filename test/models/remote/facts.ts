// Facts about servers that tests start from.

import type { ModelInfo } from "../../../src/models/model.ts";
import type {
  EndpointFacts,
  ServerBehaviour,
  ServerIdentity,
} from "../../../src/models/remote/endpoint-facts.ts";
import { createReplicas, type ReplicaOptions } from "../../../src/models/remote/replicas.ts";
import { addressOf, type ModelServer } from "./model-server.ts";

export function factsOf(
  engine: ServerIdentity["engine"],
  behaviour: Partial<ServerBehaviour> = {},
  identity: Partial<ServerIdentity> = {},
): EndpointFacts {
  return {
    identity: { engine, version: "1", model: "served", beginText: "", endText: "", ...identity },
    behaviour: {
      api: "completions",
      enforcesSchema: false,
      enforcesToolChoice: true,
      addsBegin: false,
      specialTokens: [],
      ...behaviour,
    },
    seen: "2026-12-01T00:00:00.000Z",
  };
}

export function infoOf(more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    id: "remote",
    architecture: "test",
    contextSize: 4096,
    vocabularySize: 0,
    rollback: "any",
    continuesPrefix: true,
    enforcesGrammar: true,
    givesProbabilities: false,
    specialTokens: [],
    controlTokens: [],
    ...more,
  };
}

/** Servers with little patience. */
export function replicasOf(servers: readonly ModelServer[], options: Partial<ReplicaOptions> = {}) {
  const limits = { first: 2_000, between: 200, question: 500 };
  return createReplicas(
    servers.map((server) => addressOf(server, { limits })),
    { backOff: 5, mostBackOff: 40, patience: 2_000, ...options },
  );
}
