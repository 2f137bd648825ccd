// The child process of the referee: loads GBNF with llama.cpp's own engine and says which texts it accepts. A process of
// its own, because that parser can hang or abort. Plain JavaScript, so that Node runs it without a build.
import { createInterface } from "node:readline";
import { getLlama, LlamaGrammar } from "node-llama-cpp";

const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", logger: () => {} });
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(judge(JSON.parse(line)))}\n`);
}

function judge({ gbnf, texts }) {
  try {
    // The class is made directly and asked through a method that is not public: the only way to a verdict without a model.
    const grammar = new LlamaGrammar(llama, { grammar: gbnf });
    return { verdicts: texts.map((text) => grammar._testText(text)) };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}
