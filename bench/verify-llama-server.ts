// Sampled grammars before llama-server: `npm run verify:llama-server -- --data FILE`. Each is sent with a request for one
// token; a grammar counts as accepted when the server loads it and that token is one that our own masks allow.

import { join } from "node:path";
import { createMatcher, printGbnf } from "../src/gbnf-builder/index.ts";
import { findModel } from "../src/models/find-model.ts";
import { homeFolder } from "../src/models/home-folder.ts";
import { compileSchema } from "../src/schema-grammar/index.ts";
import { drawSample } from "./schemas/draw-sample.ts";
import { createLlamaServer, type ServerAnswer, wheel } from "./schemas/llama-server.ts";
import { readData, type SchemaCase } from "./schemas/read-data.ts";
import { smallestModel } from "./verify/open-bench-model.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run verify:llama-server -- --data FILE", {
  data: "JSON lines {name, schema, tests}, plain or .gz, or the official suite as .tar.gz",
  limit: "how many schemas, drawn by the seed (500)",
  seed: "of the sample (1)",
  model: `the cached model that the server loads (${smallestModel})`,
  threads: "of the server (1)",
  timeout: "milliseconds for one answer (20000)",
});

interface Outcome {
  readonly name: string;
  readonly bytes: number;
  readonly answer: ServerAnswer | { readonly type: "no-grammar" | "wrong-token"; readonly message: string };
}

if (options.data === undefined) {
  process.stderr.write("Name a data set: --data FILE (see --help).\n");
  process.exit(2);
}
const { cases, documents } = readData(options.data);
const sample = drawSample(
  cases,
  wholeNumber(options.limit, "limit", 500),
  wholeNumber(options.seed, "seed", 1),
);
const { path: modelPath, id } = await findModel(options.model ?? smallestModel, { home: homeFolder() });
const server = await createLlamaServer({
  modelPath,
  folder: join(homeFolder(), "bench", wheel.replaceAll("=", "-")),
  threads: wholeNumber(options.threads, "threads", 1),
  milliseconds: wholeNumber(options.timeout, "timeout", 20_000),
});
await checkThatItJudges();
const progress = createProgress({ label: "grammars", total: sample.length });
const outcomes: Outcome[] = [];
for (const schemaCase of sample) {
  const outcome = await judge(schemaCase);
  outcomes.push(outcome);
  progress.step(`${outcome.name.slice(0, 40)} ${outcome.answer.type}`);
}
progress.finish();
server.close();
process.stdout.write(`${report()}\n`);
process.exitCode = outcomes.every(({ answer }) => /accepted|no-grammar/.test(answer.type)) ? 0 : 1;

/** A server that takes every grammar, or ignores it, would be no judge. */
async function checkThatItJudges(): Promise<void> {
  const broken = await server.complete('root ::= ("a"', "a");
  const followed = await server.complete('root ::= "qqq"', "Hello");
  if (broken.type === "refused" && followed.type === "accepted" && followed.content.startsWith("q")) return;
  server.close();
  throw new Error(`this server does not judge grammars: ${JSON.stringify({ broken, followed })}`);
}

async function judge({ name, schema, formats = "dialect" }: SchemaCase): Promise<Outcome> {
  let compiled: ReturnType<typeof compileSchema>;
  try {
    compiled = compileSchema(schema, { documents, formats });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { name, bytes: 0, answer: { type: "no-grammar", message } };
  }
  if (!compiled.satisfiable)
    return { name, bytes: 0, answer: { type: "no-grammar", message: "allows no value" } };
  const gbnf = printGbnf(compiled.grammar);
  const bytes = Buffer.byteLength(gbnf);
  const answer = await server.complete(gbnf, "The value as JSON: ");
  if (answer.type !== "accepted") return { name, bytes, answer };
  const matcher = createMatcher(compiled.grammar);
  const isAllowed = matcher.advance(matcher.start, Buffer.from(answer.content, "utf8")) >= 0;
  const message = `the server's first token is ${JSON.stringify(answer.content)}`;
  return { name, bytes, answer: isAllowed ? answer : { type: "wrong-token", message } };
}

function report(): string {
  const of = (type: Outcome["answer"]["type"]) => outcomes.filter(({ answer }) => answer.type === type);
  const trouble = [...of("refused"), ...of("lost"), ...of("wrong-token")];
  return [
    `${wheel} with ${id}: ${sample.length} schemas, ${of("no-grammar").length} without a grammar`,
    `accepted ${of("accepted").length}, refused ${of("refused").length}, no answer ${of("lost").length}, a token that our masks refuse ${of("wrong-token").length}`,
    ...trouble.map(
      ({ name, bytes, answer }) =>
        `  ${answer.type} ${name}: ${bytes} bytes; ${"message" in answer ? answer.message : ""}`,
    ),
  ].join("\n");
}
