// npm run verify:bfcl-checker: our port of BFCL's rules against the wheel's own, over right answers and single faults of them.
// Exit code 1 where a verdict or its error type differs.
import { readFileSync } from "node:fs";
import { checkAnswer } from "../src/bench/bfcl/check-answer.ts";
import { type BfclCategory, bfclCategories, readCategory } from "../src/bench/bfcl/data-set.ts";
import { type PythonValue, parsePython, printPython } from "../src/bench/bfcl/python-value.ts";
import { type BfclItem, readItems } from "../src/bench/bfcl/read-items.ts";
import { homeFolder } from "../src/models/home-folder.ts";
import { goldAnswer, mutateAnswer } from "./bfcl/gold-answer.ts";
import { isSameVerdict, runReferee } from "./bfcl/run-referee.ts";
import { createRandom } from "./random.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run verify:bfcl-checker -- [--mutations 5] [--seed 1] [--answers FILE]", {
  mutations: "single faults of each right answer, 5 by default",
  seed: "shapes answers and faults, 1 by default",
  answers: 'more answers to judge: lines {"id", "category", "answer"}, such as a bench run leaves',
});
const mutations = wholeNumber(options.mutations, "mutations", 5);
const random = createRandom(wholeNumber(options.seed, "seed", 1));

interface Answer {
  readonly item: BfclItem;
  readonly answer: PythonValue;
  readonly kind: "right" | "fault" | "recorded";
}

const signal = new AbortController().signal;
const items = new Map<string, BfclItem>();
const answers: Answer[] = [];
for (const category of bfclCategories) {
  const text = await readCategory(category, { home: homeFolder(), signal });
  for (const item of readItems(category, text)) {
    items.set(`${category} ${item.id}`, item);
    answers.push(...answersTo(item, category));
  }
}
if (options.answers !== undefined) {
  for (const line of readFileSync(options.answers, "utf8").split("\n")) {
    if (line === "") continue;
    const read = JSON.parse(line) as {
      readonly id: string;
      readonly category: string;
      readonly answer: string;
    };
    const item = items.get(`${read.category} ${read.id}`);
    if (item === undefined) throw new Error(`there is no item ${read.id} in ${read.category}`);
    answers.push({ item, answer: parsePython(read.answer), kind: "recorded" });
  }
}

const verdicts = await runReferee({ lines: answers.map(requestLine) }, signal);
const theirs = verdicts.map(({ verdict }) => verdict);
const counts = new Map<string, { same: number; differ: number; right: number }>();
answers.forEach(({ item, answer, kind }, index) => {
  const their = theirs[index] ?? "crash: no verdict";
  const our = ourVerdict(item, answer);
  const isSame = isSameVerdict(their, our);
  const count = counts.get(kind) ?? { same: 0, differ: 0, right: 0 };
  counts.set(kind, count);
  count[isSame ? "same" : "differ"] += 1;
  if (their === "right") count.right += 1;
  if (!isSame)
    process.stdout.write(`DIFFERS: ${item.id}: theirs ${their}, ours ${our}: ${printPython(answer)}\n`);
});
let differ = 0;
for (const [kind, count] of counts) {
  differ += count.differ;
  process.stdout.write(
    `${kind}: ${count.same + count.differ} answers, ${count.right} right by BFCL, ${count.differ} verdicts differ\n`,
  );
}
const crashes = theirs.filter((verdict) => verdict.startsWith("crash: "));
process.stdout.write(`answers on which BFCL's rules raise: ${crashes.length}\n`);
process.exitCode = differ === 0 ? 0 : 1;

function answersTo(item: BfclItem, category: BfclCategory): readonly Answer[] {
  if (category.includes("relevance")) {
    const call = new Map<string, PythonValue>([[item.tools[0]?.name ?? "any", new Map()]]);
    const broken = [new Map<string, PythonValue>([...call, ["second", "text"]])];
    return [[call], [], "an answer in words", broken].map((answer) => ({ item, answer, kind: "fault" }));
  }
  const right = goldAnswer(item, random);
  const faults = Array.from({ length: mutations }, (): Answer => {
    return { item, answer: mutateAnswer(right, random), kind: "fault" };
  });
  return [{ item, answer: right, kind: "right" }, ...faults];
}

function requestLine({ item, answer }: Answer): string {
  return `{"id": ${JSON.stringify(item.id)}, "category": "${item.category}", "answer": ${printPython(answer)}}\n`;
}

function ourVerdict(item: BfclItem, answer: PythonValue): string {
  try {
    return checkAnswer(item, answer) ?? "right";
  } catch (error) {
    return `crash: ${error instanceof Error ? error.message : String(error)}`;
  }
}
