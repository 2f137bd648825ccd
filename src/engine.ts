// Wires model, profile, tools and loop together: what the library, the command line and the server all use.
// Decides nothing itself; what a turn is stands in decode/, what a run is in agent/.
import { randomUUID } from "node:crypto";
import {
  checkOptions,
  checkRequest,
  checkToolList,
  createOpenRequests,
  type PermissionPolicy,
  type RunLimits,
  type RunRequest,
  runLoop,
  traceRun,
} from "./agent/index.ts";
import { checkTools } from "./decode/check-tools.ts";
import { countTurn, type PromptTokens } from "./decode/count-turn.ts";
import { decodeTurn } from "./decode/decode-turn.ts";
import { foldTurn, type TurnResult } from "./decode/fold-turn.ts";
import type { DecodeContext, TurnRequest } from "./decode/turn-request.ts";
import { loadCatalogue } from "./models/catalogue.ts";
import { type FindModelOptions, findModel, nameModel } from "./models/find-model.ts";
import { homeFolder } from "./models/home-folder.ts";
import type { Model, ModelInfo } from "./models/model.ts";
import { type PartialProfile, type Profile, resolveProfile } from "./models/profile.ts";
import { describeTool, type Tool } from "./tools/index.ts";
import {
  CallwrightError,
  type EventPlace,
  type Message,
  type RunEvent,
  type ToolDescription,
  type TurnEvent,
} from "./vocabulary/index.ts";

type FindOption = "home" | "fetch" | "kinds" | "hub" | "onProgress" | "onNotice";

export interface EngineOptions extends Partial<Pick<FindModelOptions, FindOption>> {
  /**
   * A catalogue id, the path of a `.gguf` file, a hub URI, the address of a server (`http://…/v1`), or a model that is open
   * already. Default: the catalogue's.
   */
  readonly model?: string | Model;
  /** Laid over what the catalogue says of the model. */
  readonly profile?: PartialProfile;
  /** Tools of every run; a request may bring its own instead. */
  readonly tools?: readonly Tool[];
  readonly limits?: Partial<RunLimits>;
  readonly permissions?: PermissionPolicy;
  /** Tokens of the window. Default: the profile's. */
  readonly contextSize?: number;
  /** Layers given to the GPU. Default: as many as fit. */
  readonly gpuLayers?: number;
  readonly threads?: number;
  /** Conversations kept at once, each with a window of its own; as many turns are decoded at a time. Default: the profile's. */
  readonly sequences?: number;
  /** Bytes on disk for states of prompt beginnings, with which a new process starts; 0 for none. Default: 1 GiB. */
  readonly stateBytes?: number;
  /** Whether arguments and results of calls go into OpenTelemetry spans. Default: false. */
  readonly traceContent?: boolean;
  /** Told how much of the weights is loaded, 0–1. */
  readonly onLoad?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** What a request says: a prompt, a whole conversation, or a conversation and the next prompt. */
export interface Conversation {
  readonly prompt?: string;
  readonly system?: string;
  readonly messages?: readonly Message[];
}

export type EngineRunRequest = Conversation & Partial<Omit<RunRequest, "messages">>;

export type EngineTurnRequest = Conversation &
  Omit<TurnRequest, "messages" | "tools" | "run"> & { readonly tools?: readonly (Tool | ToolDescription)[] };

/** The opened model and how it is treated. */
export interface OpenedEngine {
  readonly model: ModelInfo;
  readonly profile: Profile;
}

export interface Engine {
  /** Finds and opens the model now; otherwise the first request does. Throws as `createEngine` says. */
  open(): Promise<OpenedEngine>;
  /** Turns until done, tools executed. Ends in one `run-end`; throws `CallwrightError` for the caller's mistakes. */
  run(request: EngineRunRequest): AsyncIterable<RunEvent>;
  /** One turn as it happens, nothing executed. */
  turn(request: EngineTurnRequest): AsyncIterable<EventPlace & TurnEvent>;
  /** One turn, nothing executed. */
  call(request: EngineTurnRequest): Promise<TurnResult>;
  /** Tokens of the prompt that a turn would have, by part, with nothing cut. Throws as `turn` does, but for the window. */
  count(request: EngineTurnRequest): Promise<PromptTokens>;
  /** Aborts what is under way, whose runs end in `aborted`, and frees the model. Requests after it are refused. */
  close(): Promise<void>;
}

/**
 * An engine for one model, which is found and opened at the first request or by `open()`. That throws `CallwrightError`:
 * `model-missing` with the command that fetches it, `model-unknown`, `model-file-invalid`, `model-unsupported`,
 * `endpoint-unreachable`, `endpoint-refused`, `endpoint-invalid`, `profile-invalid`, `aborted`. Options that are not what they have to be throw `request-invalid` or `profile-invalid`
 * at once.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  checkOptions(options);
  const requests = createOpenRequests();
  let opening: Promise<DecodeContext> | undefined;
  let closing: Promise<void> | undefined;
  const context = (): Promise<DecodeContext> => {
    if (closing !== undefined) throw new CallwrightError("request-invalid", "The engine is closed.");
    // A failure is not kept: the model may have been fetched before the next request.
    opening ??= openContext(options, requests.signal).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  async function* turn(request: EngineTurnRequest, signal: AbortSignal): AsyncGenerator<TurnEvent> {
    const tools = request.tools ?? options.tools ?? [];
    const messages = messagesOf(request);
    checkEarly(tools, request);
    const opened = await context();
    yield* decodeTurn(opened, {
      ...withoutConversation(request),
      messages,
      tools: tools.map((tool) => describeTool(tool, opened.profile)),
      signal,
    });
  }
  async function* placedTurn(
    request: EngineTurnRequest,
    signal: AbortSignal,
  ): AsyncGenerator<EventPlace & TurnEvent> {
    const runId = randomUUID();
    for await (const event of turn(request, signal)) yield { ...event, runId, turn: 1, at: Date.now() };
  }
  async function* run(request: EngineRunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const messages = newMessages(request);
    const tools = checkedTools(request.tools ?? options.tools ?? []);
    if (typeof tools !== "function") checkEarly(tools, request);
    const opened = await context();
    const { session } = request;
    const events = runLoop(opened, {
      ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
      ...withoutConversation(request),
      limits: { ...defined(options.limits ?? {}), ...defined(request.limits ?? {}) },
      tools,
      messages,
      signal,
    });
    yield* traceRun(events, {
      model: opened.model.info.id,
      ...(session === undefined ? {} : { conversation: session.id }),
      ...defined({ content: options.traceContent }),
    });
  }
  /** Tools that cannot be offered need not wait for the model. */
  function checkEarly(
    tools: readonly (Tool | ToolDescription)[],
    { toolChoice, onBadTool = "refuse" }: Pick<TurnRequest, "toolChoice" | "onBadTool">,
  ): void {
    if (opening === undefined) checkTools(tools, { onBadTool, ...defined({ toolChoice }) });
  }
  /** A request starts when it is read, so that its faults are thrown to whoever reads it. */
  function start<R extends Pick<TurnRequest, "signal">, T>(
    request: R,
    kind: "run" | "turn",
    begin: (request: R, signal: AbortSignal) => AsyncGenerator<T>,
  ): AsyncIterable<T> {
    return requests.add((closed) => {
      checkRequest(request, kind);
      return begin(request, eitherSignal(closed, request.signal));
    });
  }
  return {
    open: async () => {
      const { model, profile } = await context();
      return { model: model.info, profile };
    },
    run: (request) => start(request, "run", run),
    turn: (request) => start(request, "turn", placedTurn),
    call: async (request) => foldTurn(start(request, "turn", turn)),
    count: async (request) => {
      checkRequest(request, "turn");
      const tools = request.tools ?? options.tools ?? [];
      const opened = await context();
      return countTurn(opened, {
        ...withoutConversation(request),
        messages: messagesOf(request),
        tools: tools.map((tool) => describeTool(tool, opened.profile)),
      });
    },
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };

  async function closeAll(): Promise<void> {
    await requests.end();
    // An engine that never opened its model, or could not, which was told to whoever asked, has nothing to close.
    const opened = await opening?.catch(() => undefined);
    await opened?.model.close();
  }
}

async function openContext(options: EngineOptions, closed: AbortSignal): Promise<DecodeContext> {
  if (typeof options.model === "object") {
    return { model: options.model, profile: resolveProfile(options.profile ?? {}) };
  }
  const {
    fetch,
    kinds,
    hub,
    onProgress,
    onNotice,
    onLoad,
    contextSize,
    gpuLayers,
    threads,
    sequences,
    stateBytes,
  } = options;
  const signal = eitherSignal(closed, options.signal);
  const home = options.home ?? homeFolder();
  const catalogue = await loadCatalogue({ home });
  const named = nameModel(options.model ?? catalogue.default, catalogue);
  if (named.type === "endpoint") {
    const { openRemoteModel } = await import("./models/remote/open-remote-model.ts");
    const { entry } = named;
    return openRemoteModel({
      entry,
      catalogue,
      home,
      ...defined({ profile: options.profile, contextSize, onNotice, signal }),
    });
  }
  const found = await findModel(options.model, {
    home,
    catalogue,
    ...defined({ fetch, kinds, hub, onProgress, onNotice, signal }),
  });
  const profile = resolveProfile(found.profile, options.profile ?? {});
  const { path, id } = found;
  // Loaded only now: the runtime takes a third of a second, which help texts and grammars need not wait for.
  const { openLocalModel } = await import("./models/local/open-local-model.ts");
  const model = await openLocalModel({
    path,
    id,
    profile,
    home,
    ...defined({ onLoad, signal, contextSize, gpuLayers, threads, sequences, stateBytes }),
  });
  const { contextSize: given } = model.info;
  if (contextSize !== undefined && given < contextSize) {
    onNotice?.(`The window has ${given} tokens, not ${contextSize}: the model was trained for no more.`);
  }
  if (contextSize !== undefined && given > contextSize) {
    onNotice?.(`The window has ${given} tokens, not ${contextSize}: llama.cpp rounds its size up.`);
  }
  return { model, profile };
}

function eitherSignal(first: AbortSignal, second: AbortSignal | undefined): AbortSignal {
  return second === undefined ? first : AbortSignal.any([first, second]);
}

/** A catalogue that is asked anew is checked anew. */
function checkedTools(tools: RunRequest["tools"]): RunRequest["tools"] {
  if (typeof tools !== "function") return tools;
  return () => {
    const given = tools();
    checkToolList(given);
    return given;
  };
}

/** Leaves out what is undefined, so that a missing option is absent and not set to nothing. */
function defined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function messagesOf(request: Conversation): readonly Message[] {
  const { prompt, system, messages = [] } = request;
  const isRaw = "rawPrompt" in request && request.rawPrompt !== undefined;
  if (prompt === undefined && messages.length === 0 && !isRaw) {
    throw new CallwrightError("request-invalid", "A request needs a prompt or messages.");
  }
  return [
    ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
    ...messages,
    ...(prompt === undefined ? [] : [{ role: "user" as const, content: prompt }]),
  ];
}

/** A session that has begun keeps its instructions, and can go on without anything being said. */
function newMessages(request: EngineRunRequest): readonly Message[] {
  const { session, ...conversation } = request;
  if (session === undefined) return messagesOf(request);
  const hasBegun = session.history().length > 0;
  const { system: _system, ...rest } = conversation;
  if (!hasBegun) return messagesOf(conversation);
  return rest.prompt === undefined && (rest.messages ?? []).length === 0 ? [] : messagesOf(rest);
}

function withoutConversation<T extends Conversation>(request: T): Omit<T, keyof Conversation> {
  const { prompt: _prompt, system: _system, messages: _messages, ...rest } = request;
  return rest;
}
