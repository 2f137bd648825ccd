// What the page says of each keyword by hand: how the grammar says it, and where that ends. The shares beside it are
// measured; nothing here is a figure that a run could contradict.

export interface KeywordNote {
  readonly keywords: readonly string[];
  readonly how: string;
  /** Where the grammar allows more, or less, than the keyword; empty where nothing of the kind is known. */
  readonly limit: string;
  /** Files of the official suite about it, where they are not named like a keyword. */
  readonly files?: readonly string[];
}

export interface NoteGroup {
  readonly title: string;
  readonly notes: readonly KeywordNote[];
}

export const noteGroups: readonly NoteGroup[] = [
  {
    title: "Any value",
    notes: [
      { keywords: ["type"], how: "one alternative for each type", limit: "" },
      { keywords: ["enum"], how: "the values as one tree of their texts", limit: "" },
      { keywords: ["const"], how: "the value's text", limit: "" },
    ],
  },
  {
    title: "Objects",
    notes: [
      { keywords: ["properties"], how: "keys in the order the schema declares them", limit: "" },
      { keywords: ["required"], how: "the state after each key knows what is still owed", limit: "" },
      {
        keywords: ["additionalProperties"],
        how: "undeclared keys by the complement of the declared ones",
        limit:
          "a grammar cannot forbid writing an undeclared key twice; listed only where that could matter. *under* with `closed` objects, on purpose",
      },
      {
        keywords: ["patternProperties"],
        how: "undeclared keys told apart by the expressions they match",
        limit: "many overlapping expressions pass the budget of states",
      },
      {
        keywords: ["propertyNames"],
        how: "keys as strings of its language",
        limit: "the budget of states",
      },
      {
        keywords: ["minProperties", "maxProperties"],
        how: "counted while keys are written",
        limit: "an open key written twice counts twice; many optional keys pass the budget of states",
      },
      {
        keywords: ["dependentRequired", "dependentSchemas", "dependencies"],
        how: "the key is absent, or it is there and the rest holds",
        limit: "the budget of conditions",
      },
      {
        keywords: ["unevaluatedProperties"],
        how: "each branch is closed by what it evaluates",
        limit: "branches whose evaluated keys cannot be told apart",
      },
    ],
  },
  {
    title: "Arrays",
    notes: [
      {
        keywords: ["items", "prefixItems", "additionalItems"],
        how: "the first items one by one, then the rest",
        limit: "",
      },
      { keywords: ["minItems", "maxItems"], how: "counted", limit: "the budget of states" },
      {
        keywords: ["contains", "minContains", "maxContains"],
        how: "items that match are counted, apart from those that do not",
        limit: "several `contains` over one array pass the budget of states",
      },
      {
        keywords: ["uniqueItems"],
        how: "what was written is remembered",
        limit:
          "only where the items have few possible values, or there are few items; no grammar can compare two free values",
      },
      {
        keywords: ["unevaluatedItems"],
        how: "each branch is closed by what it evaluates",
        limit: "branches whose evaluated items cannot be told apart",
      },
    ],
  },
  {
    title: "Strings",
    notes: [
      {
        keywords: ["minLength", "maxLength"],
        how: "characters counted as code points, at any length",
        limit: "its product with a large pattern passes the budget of states",
      },
      {
        keywords: ["pattern"],
        how: "the expression as an automaton, with look-around where it is regular",
        limit: "back-references; automata beyond the budget of states",
        files: ["ecmascript-regex", "non-bmp-regex"],
      },
      {
        keywords: ["format"],
        how: "the language of its RFC, see below",
        limit: "an unknown format refuses nothing; a stated 2019-09 or 2020-12 makes formats annotations",
      },
      {
        keywords: ["contentEncoding", "contentMediaType"],
        how: "nothing: what a string holds is not looked into",
        limit: "draft-07 lets a validator look; listed there, an annotation elsewhere",
        files: ["content"],
      },
    ],
  },
  {
    title: "Numbers",
    notes: [
      {
        keywords: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
        how: "an automaton over the digits, for bounds of any size",
        limit: "",
      },
      {
        keywords: ["multipleOf"],
        how: "remainders tracked digit by digit",
        limit: "large divisors together with bounds pass the budget of states",
        files: ["float-overflow"],
      },
    ],
  },
  {
    title: "Combining schemas",
    notes: [
      {
        keywords: ["allOf"],
        how: "the branches and the schema around them become one",
        limit: "the budget of conditions",
      },
      { keywords: ["anyOf"], how: "the union", limit: "" },
      {
        keywords: ["oneOf"],
        how: "each branch without the others",
        limit: "many overlapping branches pass the budget of conditions",
      },
      { keywords: ["not"], how: "the complement", limit: "the complement of what is itself relaxed" },
      {
        keywords: ["if", "then", "else"],
        how: "with `then`, or without the condition and with `else`",
        limit: "the budget of conditions",
        files: ["if-then-else"],
      },
    ],
  },
  {
    title: "References",
    notes: [
      {
        keywords: ["$ref"],
        how: "pointers, anchors, identifiers, recursion of every kind, documents that are handed in",
        limit: "a document that was not handed in refuses nothing, and is listed",
        files: ["ref", "refRemote", "anchor", "id", "defs", "definitions", "infinite-loop-detection"],
      },
      {
        keywords: ["$dynamicRef", "$recursiveRef"],
        how: "resolved by the scope it is reached in",
        limit: "",
        files: ["dynamicRef", "recursiveRef"],
      },
    ],
  },
];
