// `callwright serve`: the models of this machine over HTTP, in the APIs that clients speak already.
// The server itself is loaded only when this command runs.
import { CallwrightError } from "../vocabulary/index.ts";
import { type Command, InvalidArgumentError, Option } from "./commander.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { fetchSettings } from "./fetch-settings.ts";
import { interruptSignal } from "./interrupt.ts";
import { wholeNumber } from "./model-options.ts";
import { visibleText } from "./visible-text.ts";

export interface ServeCommandOptions {
  readonly model: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly apiKey?: string;
  readonly ctx?: number;
  readonly gpuLayers?: number;
  readonly threads?: number;
  readonly sequences?: number;
  readonly maxModels: number;
  readonly idle?: number;
  readonly queue: number;
  readonly unknownModel: "default" | "refuse";
  readonly leaveOutBadTools?: boolean;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly load: boolean;
}

const help = `
Serves /v1/chat/completions, /v1/responses, /v1/messages, /v1/completions, /v1/models, /api/chat, /api/generate and what
Ollama's clients ask for besides, /health and /metrics. Point a client's base URL at http://127.0.0.1:8787/v1 (OpenAI's),
or at http://127.0.0.1:8787 (Anthropic's and Ollama's). Models are loaded when they are asked for; the first is loaded at once.
The key may also stand in CALLWRIGHT_API_KEY, where other users of this machine do not see it.
Ends with Ctrl-C, with exit code 0; a second Ctrl-C ends it at once.

Examples:
  callwright serve
  callwright serve --model qwen2.5-coder-0.5b-instruct-q4_k_m --ctx 16384 --port 8080
  CALLWRIGHT_API_KEY=… callwright serve --host 0.0.0.0
  callwright serve --allow-origin http://localhost:3000
`;

/** Adds `serve`. */
export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("Answer clients of OpenAI's, Anthropic's and Ollama's APIs over HTTP.")
    .option(
      "--model <name>",
      "catalogue id, .gguf path, hub URI or another server's http://…/v1; may be given several times, the first is the default (default: all that are on this machine)",
      collect,
      [],
    )
    .option("--host <address>", "address to listen on; any but the loopback needs a key", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 for any that is free", portNumber, 8787)
    .option("--api-key <key>", "key that clients have to send")
    .option("--ctx <tokens>", "size of each model's window (default: its profile's)", wholeNumber)
    .option(
      "--gpu-layers <number>",
      "layers given to the GPU; 0 for the CPU alone (default: as many as fit)",
      wholeNumber,
    )
    .option("--threads <number>", "threads to compute with (default: the idle cores)", wholeNumber)
    .option(
      "--sequences <number>",
      "conversations that each model keeps, and requests it decodes, at once (default: its profile's)",
      wholeNumber,
    )
    .option("--max-models <number>", "models that are loaded at once", wholeNumber, 1)
    .option(
      "--idle <minutes>",
      "unload a model that nobody asked for this long (default: never)",
      wholeNumber,
    )
    .option("--queue <number>", "requests that may wait for one model", wholeNumber, 32)
    .addOption(
      new Option("--unknown-model <what>", "what a request for an unknown model gets")
        .choices(["default", "refuse"])
        .default("default"),
    )
    .option("--leave-out-bad-tools", "go on without tools whose schema is malformed or cannot be met")
    .option(
      "--allow-host <name>",
      "name by which the server may be reached; may be given several times",
      collect,
      [],
    )
    .option(
      "--allow-origin <origin>",
      "origin of web pages that may ask; may be given several times",
      collect,
      [],
    )
    .option("--no-load", "load the first model with the first request, not at once")
    .addHelpText("after", help)
    .action(async (options: ServeCommandOptions) => {
      process.exitCode = await serveCommand(options);
    });
}

/** Serves until interrupted; gives the exit code. */
export async function serveCommand(options: ServeCommandOptions): Promise<ExitCode> {
  const signal = interruptSignal();
  const { serve } = await import("../server/serve.ts");
  const { catalogueModels } = await import("../server/catalogue-models.ts");
  const { home } = fetchSettings();
  const { ctx, gpuLayers, threads, sequences, idle } = options;
  const apiKey = options.apiKey ?? process.env.CALLWRIGHT_API_KEY ?? "";
  const models = catalogueModels({
    home,
    names: options.model,
    log: say,
    engine: {
      onNotice: say,
      ...(ctx === undefined ? {} : { contextSize: ctx }),
      ...(gpuLayers === undefined ? {} : { gpuLayers }),
      ...(threads === undefined ? {} : { threads }),
      ...(sequences === undefined ? {} : { sequences: Math.max(1, sequences) }),
    },
  });
  const [first] = await models.list();
  if (first === undefined) {
    throw new CallwrightError(
      "model-missing",
      "No model of the catalogue is on this machine. Fetch the default one with: callwright models pull",
    );
  }
  const server = await serve({
    models,
    host: options.host,
    port: options.port,
    ...(apiKey === "" ? {} : { apiKey }),
    unknownModel: options.unknownModel,
    ...(options.allowHost.length === 0 ? {} : { hosts: options.allowHost }),
    origins: options.allowOrigin,
    onBadTool: options.leaveOutBadTools === true ? "leave-out" : "refuse",
    limits: { models: Math.max(1, options.maxModels), queue: options.queue },
    ...(idle === undefined ? {} : { idleMilliseconds: idle * 60_000 }),
    log: say,
  });
  try {
    process.stdout.write(`callwright serves ${first.id} at ${server.url} (Ctrl-C ends it)\n`);
    if (options.load) await Promise.race([server.app.load(), aborted(signal)]);
    await aborted(signal);
  } finally {
    await server.close();
  }
  return exitCodes.done;
}

function say(line: string): void {
  process.stderr.write(`${visibleText(line)}\n`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError("It must be a port, 0 to 65535.");
  return port;
}
