// What the cases of the speed bench share: the model's file, how it is opened, the peer, and where measured values go.
import { join } from "node:path";
import { homeFolder } from "../../src/models/home-folder.ts";
import { type OpenLocalModelOptions, openLocalModel } from "../../src/models/local/open-local-model.ts";
import type { Model } from "../../src/models/model.ts";
import type { Profile } from "../../src/models/profile.ts";
import { type StartedServer, startLlamaServer, wheel } from "../schemas/llama-server.ts";
import type { Measured } from "./measured.ts";

export interface SpeedRun {
  readonly count: number;
  readonly threads: number;
  readonly profile: Profile;
  readonly measured: Measured[];
  /** One sequence and no state files, unless it is said otherwise. */
  open(more?: Partial<OpenLocalModelOptions>): Promise<Model>;
  startPeer(slots: number): Promise<StartedServer>;
}

const window = 4096;

export function createSpeedRun(options: {
  readonly count: number;
  readonly threads: number;
  readonly model: { readonly id: string; readonly path: string; readonly profile: Profile };
  /** Where state files go. */
  readonly home: string;
}): SpeedRun {
  const { count, threads, model, home } = options;
  const { id, path, profile } = model;
  return {
    count,
    threads,
    profile,
    measured: [],
    open: (more) =>
      openLocalModel({
        path,
        id,
        profile,
        contextSize: window,
        threads,
        home,
        sequences: 1,
        stateBytes: 0,
        ...more,
      }),
    startPeer: (slots) =>
      startLlamaServer({
        modelPath: path,
        folder: join(homeFolder(), "bench", wheel.replaceAll("=", "-")),
        threads,
        window,
        slots,
      }),
  };
}
