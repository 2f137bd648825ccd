// The child process of the referee: loads GBNF with llama.cpp's own engine and says which texts it accepts. A process of
// its own, because that parser can hang or abort. Plain JavaScript, so that Node runs it without a build.
import { createInterface } from "node:readline";
import { getLlama, LlamaGrammar } from "node-llama-cpp";

const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", logger: () => {} });
answer({ isReady: true });

for await (const line of createInterface({ input: process.stdin })) {
  judge(JSON.parse(line));
}

function answer(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function judge({ gbnf, texts }) {
  try {
    // The class is made directly and asked through a method that is not public: the only way to a verdict without a model.
    const grammar = new LlamaGrammar(llama, { grammar: gbnf });
    answer({ isLoaded: true });
    answer({ verdicts: texts.map((text) => grammar._testText(text)) });
  } catch (error) {
    answer({ error: String(error?.message ?? error) });
  }
}
