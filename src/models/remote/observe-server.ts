// Finds out by a few tiny requests what a server really does with the fields it is sent: some take a grammar or a schema
// and ignore it. What it did is what counts, not which version it is.
import { CallwrightError, isJsonObject, type JsonObject } from "../../vocabulary/index.ts";
import type { EndpointApi } from "../endpoint-entry.ts";
import { askChat } from "./ask-chat.ts";
import { askServer } from "./ask-server.ts";
import { type ChatEvent, type ChatRequest, chatDialect } from "./chat-dialects.ts";
import { completionDialect } from "./completion-dialects.ts";
import type { EndpointFacts, GrammarField, ServerBehaviour, ServerIdentity } from "./endpoint-facts.ts";
import { readStream } from "./read-stream.ts";
import { ownRoute, type ServerAddress } from "./server-address.ts";

export interface ObserveOptions {
  readonly identity: ServerIdentity;
  readonly api: EndpointApi;
  /** The template that prompts are rendered with. */
  readonly template?: string;
  readonly signal?: AbortSignal;
}

/** Throws what asking the server throws where it does not answer at all; that it refuses a field is a finding. */
export async function observeServer(
  server: ServerAddress,
  { identity, api, template = "", signal }: ObserveOptions,
): Promise<ServerBehaviour> {
  const plain: ServerBehaviour = {
    api,
    enforcesSchema: false,
    enforcesToolChoice: false,
    addsBegin: false,
    specialTokens: [],
  };
  const ask = { server, identity, plain, signal };
  if (api === "chat") {
    const enforcesSchema = await asFinding(() => keepsSchema(ask));
    const enforcesToolChoice = await asFinding(() => keepsToolChoice(ask));
    return { ...plain, enforcesSchema, enforcesToolChoice };
  }
  const grammarField = await findGrammarField(ask);
  const isLlama = identity.engine === "llama-server";
  return {
    ...plain,
    ...(grammarField === undefined ? {} : { grammarField }),
    addsBegin: isLlama ? await addsBegin(server, signal) : identity.engine === "sglang",
    specialTokens: isLlama
      ? await specialTokens(server, [template, identity.beginText, identity.endText], signal)
      : markLike(template),
  };
}

interface Asking {
  readonly server: ServerAddress;
  readonly identity: ServerIdentity;
  readonly plain: ServerBehaviour;
  readonly signal: AbortSignal | undefined;
}

const greedy = { temperature: 0, topK: 0, topP: 1, minP: 0 };
/** What no model would write by itself. */
const unlikely = { grammar: 'root ::= "zq" [0-9] "vx"\n', text: /^zq[0-9]vx$/, word: "zqvx" };
const fewTokens = 64;

/** In the order in which servers came to have them. */
const fieldsOf: Readonly<Record<ServerIdentity["engine"], readonly GrammarField[]>> = {
  "llama-server": ["grammar"],
  vllm: ["structured_outputs", "guided_grammar"],
  sglang: ["ebnf"],
  ollama: [],
  openai: [],
};

async function findGrammarField({
  server,
  identity,
  plain,
  signal,
}: Asking): Promise<GrammarField | undefined> {
  for (const grammarField of fieldsOf[identity.engine]) {
    const facts: EndpointFacts = { identity, behaviour: { ...plain, grammarField }, seen: "" };
    const dialect = completionDialect(facts);
    const isKept = await asFinding(async () => {
      const body = dialect.body({
        prompt: "Hello",
        sampling: greedy,
        seed: 0,
        maxTokens: fewTokens,
        grammar: unlikely.grammar,
        specials: [],
      });
      let text = "";
      for await (const event of readStream(server, {
        url: dialect.address(server),
        body,
        ...given(signal),
      })) {
        text += dialect.read(event).text ?? "";
      }
      return unlikely.text.test(text.trim());
    });
    if (isKept) return grammarField;
  }
  return undefined;
}

const wordSchema: JsonObject = {
  type: "object",
  properties: { word: { type: "string", enum: [unlikely.word] } },
  required: ["word"],
  additionalProperties: false,
};

async function keepsSchema(asking: Asking): Promise<boolean> {
  const events = await chat(asking, { schema: wordSchema, tools: [] });
  return isWord(events.map(({ text = "" }) => text).join(""));
}

async function keepsToolChoice(asking: Asking): Promise<boolean> {
  const tool = { name: "note_word", description: "Notes a word.", inputSchema: wordSchema };
  const events = await chat(asking, { tools: [tool] });
  return isWord(events.flatMap(({ calls = [] }) => calls.map(({ text }) => text)).join(""));
}

async function chat(
  { server, identity, signal }: Asking,
  { schema, tools }: Pick<ChatRequest, "schema"> & Pick<ChatRequest["prompt"], "tools">,
): Promise<readonly ChatEvent[]> {
  const dialect = chatDialect(identity);
  const body = dialect.body({
    prompt: {
      messages: [{ role: "user", content: "Hello" }],
      tools,
      toolChoice: tools.length === 0 ? "none" : "required",
      parallel: false,
      variables: identity.engine === "openai" ? {} : { enable_thinking: false },
    },
    sampling: greedy,
    seed: 0,
    maxTokens: fewTokens * 4,
    contextSize: 2048,
    ...(schema === undefined ? {} : { schema }),
  });
  const events: ChatEvent[] = [];
  const refusedFields = new Set<string>();
  for await (const event of askChat({ server, dialect, body, refusedFields, signal })) events.push(event);
  return events;
}

function isWord(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && value.word === unlikely.word && Object.keys(value).length === 1;
  } catch {
    // Anything but JSON is an answer too: it was not kept to.
    return false;
  }
}

/** Whether it did; a refusal says that it does not. */
async function asFinding(observe: () => Promise<boolean>): Promise<boolean> {
  try {
    return await observe();
  } catch (error) {
    if (error instanceof CallwrightError && error.code === "endpoint-refused") return false;
    throw error;
  }
}

async function addsBegin(server: ServerAddress, signal: AbortSignal | undefined): Promise<boolean> {
  const count = async (fields: JsonObject) => (await tokenize(server, "a", fields, signal)).length;
  return (await count({ add_special: true })) > (await count({ add_special: false }));
}

/** Spellings that are one token only where special ones are read. */
async function specialTokens(
  server: ServerAddress,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const [template = "", ...others] = texts;
  const found: string[] = [];
  for (const spelling of new Set([...markLike(template), ...others.filter((text) => text !== "")])) {
    const special = await tokenize(server, spelling, { parse_special: true }, signal);
    if (special.length !== 1) continue;
    const plain = await tokenize(server, spelling, { parse_special: false }, signal);
    if (plain[0] !== special[0]) found.push(spelling);
  }
  return found;
}

async function tokenize(
  server: ServerAddress,
  content: string,
  fields: JsonObject,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const answer = await askServer(server, {
    url: ownRoute(server, "/tokenize"),
    body: { content, ...fields },
    ...given(signal),
  });
  return isJsonObject(answer) && Array.isArray(answer.tokens) ? answer.tokens : [];
}

/** What in a template looks like the marks that vocabularies hold as one token. */
function markLike(template: string): readonly string[] {
  return [
    ...new Set(
      template.match(/<\|[^|<>\s]{1,40}\|>|<｜[^｜<>]{1,40}｜>|<\/?[a-z_]{2,30}>|\[\/?[A-Z_]{3,20}\]/g),
    ),
  ];
}

function given(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}
