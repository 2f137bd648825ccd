// npm run verify:long-conversation: results of 3,000 tokens each in a window of 4,096, on real weights.
// Exit code 1 where a turn evaluates again what did not change, or loses the newest user message.
import { openBenchModel, smallestModel } from "./verify/open-bench-model.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import {
  conversationBreaches,
  printConversation,
  runLongConversation,
  type TurnOutcome,
} from "./verify/run-long-conversation.ts";

const options = readOptions("npm run verify:long-conversation -- [--model ID] [--turns 20]", {
  model: `catalogue id, path or hub URI, ${smallestModel} by default`,
  turns: "questions, each with a result of its own, 20 by default",
});
const turns = wholeNumber(options.turns, "turns", 20);
// Scores would evaluate the prompt before the turn does, and hide what was reused.
const context = await openBenchModel(options.model ?? smallestModel, {
  context: { size: 4096 },
  calls: { decision: { kind: "greedy" } },
});
try {
  const outcomes: TurnOutcome[] = [];
  for await (const outcome of runLongConversation(context, { turns, resultTokens: 3000 })) {
    outcomes.push(outcome);
    process.stderr.write(`turn ${outcome.turn} of ${turns}\n`);
  }
  process.stdout.write(`${printConversation(outcomes)}\n`);
  const breaches = conversationBreaches(outcomes);
  for (const breach of breaches) process.stdout.write(`BROKEN: ${breach}\n`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
} finally {
  await context.model.close();
}
