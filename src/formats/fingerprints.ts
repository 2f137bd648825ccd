// What tells the ways of writing calls apart before anything is rendered: marks in a template's text, tokens that a
// vocabulary has for calls alone, and names. A row whose format is not there is never chosen.

export interface ModelEvidence {
  readonly template: string;
  /** Spellings of the vocabulary's control and user-defined tokens. */
  readonly specialTokens: readonly string[];
  /** What the model is called: by its file, by the catalogue, by its profile. */
  readonly names: readonly string[];
}

/** A format that something speaks for. */
export interface Hint {
  readonly format: string;
  /** What speaks for it, as part of a sentence. */
  readonly reason: string;
}

interface Fingerprint {
  readonly format: string;
  /** All of them stand in the template's text. */
  readonly template?: readonly string[];
  /** All of them are tokens of their own. */
  readonly vocabulary?: readonly string[];
  readonly name?: RegExp;
}

/** The more telling ones first: what a template of one family has, another may have beside marks of its own. */
const fingerprints: readonly Fingerprint[] = [
  {
    format: "harmony",
    template: ["<|channel|>commentary", "functions."],
    vocabulary: ["<|channel|>", "<|constrain|>", "<|call|>"],
    name: /gpt-oss/,
  },
  { format: "gemma4", template: ["<|tool_call>"], vocabulary: ["<|tool_call>"], name: /gemma-?4/ },
  {
    format: "fn-gemma",
    template: ["<start_function_call>"],
    vocabulary: ["<start_function_call>"],
    name: /function-?gemma/,
  },
  {
    format: "mistral-args",
    template: ["[TOOL_CALLS]", "[ARGS]"],
    vocabulary: ["[TOOL_CALLS]", "[ARGS]"],
    name: /ministral-3|devstral/,
  },
  {
    format: "mistral-list",
    template: ["[TOOL_CALLS]", "[AVAILABLE_TOOLS]"],
    vocabulary: ["[TOOL_CALLS]", "[AVAILABLE_TOOLS]"],
    name: /mistral-(7b-instruct-v0\.3|nemo)/,
  },
  {
    format: "lfm-py",
    template: ["<|tool_call_start|>"],
    vocabulary: ["<|tool_call_start|>"],
    name: /\blfm-?2/,
  },
  { format: "lfm-py", template: ["<|tool_list_start|>"] },
  { format: "minicpm-xml", template: ["<function name=", "<param name="], name: /minicpm-?5/ },
  { format: "glm-xml", template: ["<tool_call>", "<arg_key>"], name: /\bglm-4\.[5-9]/ },
  {
    format: "qwen-xml",
    template: ["<tool_call>", "<function=", "<parameter="],
    name: /qwen-?3(\.[5-9]|-coder)/,
  },
  { format: "nemotron2", template: ["<TOOLCALL>"], name: /nemotron-nano-(9b-)?v2/ },
  {
    format: "deepseek-r1",
    template: ["<｜tool▁calls▁begin｜>", "```json"],
    vocabulary: ["<｜tool▁calls▁begin｜>"],
    name: /deepseek-r1/,
  },
  { format: "granite3", template: ["<|tool_call|>", "available_tools"], name: /granite-3/ },
  {
    format: "phi4",
    template: ["<|tool|>"],
    vocabulary: ["<|tool_call|>", "<|/tool_call|>"],
    name: /phi-4-mini/,
  },
  { format: "smol3", template: ["Reasoning Mode: ", "## Custom Instructions"], name: /smollm-?3/ },
  { format: "hammer", template: ["[BEGIN OF AVAILABLE TOOLS]"], name: /hammer-?2/ },
  { format: "json-list", name: /xlam-?2/ },
  {
    format: "llama3-json",
    template: ["<|start_header_id|>ipython", '"parameters": '],
    vocabulary: ["<|python_tag|>"],
    name: /llama-3\.[123]/,
  },
  { format: "gemma3-text", template: ["<start_of_turn>", "<start_of_image>"], name: /gemma-?3/ },
  { format: "smol2", name: /smollm2-1\.7b/ },
  { format: "hermes-json", template: ["<tool_call>"], vocabulary: ["<tool_call>"], name: /hermes-[23]/ },
];

/** The formats that the evidence speaks for, the most telling first: the template's, then the vocabulary's, then the names'. */
export function readFingerprints({ template, specialTokens, names }: ModelEvidence): readonly Hint[] {
  const tokens = new Set(specialTokens);
  const plainNames = names.map((name) => name.toLowerCase().replace(/[\s_]+/g, "-"));
  const rounds: readonly ((print: Fingerprint) => string | undefined)[] = [
    (print) => allOf(print.template, (mark) => template.includes(mark), "its template speaks of"),
    (print) => allOf(print.vocabulary, (token) => tokens.has(token), "its vocabulary has tokens for"),
    ({ name }) => (plainNames.some((plain) => name?.test(plain)) ? "its name says so" : undefined),
  ];
  return rounds.flatMap((evidenceOf) =>
    fingerprints.flatMap((print) => {
      const reason = evidenceOf(print);
      return reason === undefined ? [] : [{ format: print.format, reason }];
    }),
  );
}

function allOf(
  marks: readonly string[] | undefined,
  has: (mark: string) => boolean,
  what: string,
): string | undefined {
  return marks?.every(has) ? `${what} ${marks.join(" and ")}` : undefined;
}
