// The long run of the matcher against llama.cpp: `npm run fuzz:matcher -- --pairs 100000 --seed 1`.
// Prints every difference with the seed that shows it again; exit code 1 when there is one.
import { parseArgs } from "node:util";
import { compareWithLlama } from "../test/gbnf-builder/compare-with-llama.ts";
import { createReferee } from "./gbnf-referee.ts";

const { values } = parseArgs({ options: { pairs: { type: "string" }, seed: { type: "string" } } });
const pairs = Number(values.pairs ?? 20_000);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const chunk = 1_000;

const referee = createReferee({ milliseconds: 2_000 });
const total = { grammars: 0, accepted: 0, refused: 0, lost: 0, differences: 0 };
for (let at = 0; total.accepted + total.refused < pairs; at++) {
  const chunkSeed = seed + at * 10_000;
  const result = await compareWithLlama(referee, chunkSeed, Math.min(chunk, pairs));
  total.grammars += result.grammars;
  total.accepted += result.accepted;
  total.refused += result.refused;
  total.lost += result.lost;
  total.differences += result.differences.length;
  for (const difference of result.differences)
    process.stdout.write(`${JSON.stringify({ seed: chunkSeed, ...difference })}\n`);
  process.stderr.write(
    `\r${total.accepted} accepted, ${total.refused} refused, ${total.differences} different, ${total.lost} of ${total.grammars} grammars too slow for llama.cpp`,
  );
}
referee.close();
process.stderr.write(`\nseed ${seed}\n`);
process.exitCode = total.differences === 0 ? 0 : 1;
