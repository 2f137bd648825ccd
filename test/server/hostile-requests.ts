// Requests that mean harm or are broken: each with the statuses that are right for it. Built by rule from the fields of every
// endpoint, and by hand where a rule does not reach. A table, hence its length.

export interface HostileRequest {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are right; 200 where what looks hostile is only odd. */
  readonly statuses: readonly number[];
}

const messages = [{ role: "user", content: "Hello" }];
const schema = { type: "object", properties: { a: { type: "string" } } };

/** A complete request for each endpoint, and the fields in which a wrong type is refused. */
const endpoints: Readonly<Record<string, { readonly base: object; readonly fields: readonly string[] }>> = {
  "/v1/chat/completions": {
    base: { messages },
    fields: [
      "model messages stream max_tokens temperature top_p stop n seed presence_penalty frequency_penalty logit_bias tools",
      "tool_choice parallel_tool_calls response_format grammar reasoning_effort chat_template_kwargs stream_options callwright",
    ].flatMap((line) => line.split(" ")),
  },
  "/v1/responses": {
    base: { input: "Hello" },
    fields:
      "model input instructions stream max_output_tokens temperature tools tool_choice text reasoning include".split(
        " ",
      ),
  },
  "/v1/messages": {
    base: { messages, max_tokens: 10 },
    fields:
      "model messages system max_tokens stream temperature top_k stop_sequences tools tool_choice thinking".split(
        " ",
      ),
  },
  "/api/chat": {
    base: { messages },
    fields: "model messages stream format options tools think keep_alive".split(" "),
  },
  "/api/generate": {
    base: { prompt: "Hello" },
    fields: "model prompt system stream raw options think".split(" "),
  },
  "/v1/completions": {
    base: { prompt: "Hello" },
    fields: "model prompt stream max_tokens temperature stop n logprobs".split(" "),
  },
};

/** For a field of any type at least one of these is wrong; a number, say, is right for a temperature, and a text for a model. */
const strangers: Readonly<Record<string, unknown>> = {
  "a number": -1.5,
  "a list of lists": [[[]]],
  "an object with prototype keys": JSON.parse(
    '{"__proto__": {"x": 1}, "constructor": {"prototype": {"y": 1}}}',
  ),
};

function wrongTypes(): readonly HostileRequest[] {
  return Object.entries(endpoints).flatMap(([path, { base, fields }]) =>
    fields.flatMap((field) =>
      Object.entries(strangers).map(([kind, value]) => ({
        name: `${path}: ${kind} as ${field}`,
        path,
        body: JSON.stringify({ ...base, [field]: value }),
        statuses: mayBe(field, kind) ? [200, 400] : [400],
      })),
    ),
  );
}

/** Where a stranger is odd but allowed: objects whose keys nobody asks for, and numbers that the field can be. */
function mayBe(field: string, kind: string): boolean {
  const objects = [
    "callwright",
    "chat_template_kwargs",
    "stream_options",
    "options",
    "text",
    "reasoning",
    "thinking",
    "logit_bias",
  ];
  if (kind === "an object with prototype keys") return objects.includes(field) || field === "format";
  return (
    (kind === "a number" && field === "keep_alive") || (kind === "a list of lists" && field === "include")
  );
}

function onEvery(
  name: string,
  body: string | Uint8Array,
  statuses: readonly number[],
  more: Partial<HostileRequest> = {},
) {
  return Object.keys(endpoints).map((path) => ({ name: `${path}: ${name}`, path, body, statuses, ...more }));
}

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

function brokenBodies(): readonly HostileRequest[] {
  return [
    ...onEvery("nothing", "", [400]),
    ...onEvery("a list", "[]", [400]),
    ...onEvery("null", "null", [400]),
    ...onEvery("an empty object", "{}", [200, 400]),
    ...onEvery("JSON that is cut off", '{"messages": [{"role": "user", "cont', [400]),
    ...onEvery("two documents", "{}{}", [400]),
    ...onEvery("NaN", '{"temperature": NaN}', [400]),
    ...onEvery("a comment", '{/* x */ "a": 1}', [400]),
    ...onEvery("bytes that are no UTF-8", bytes('{"model": "', [0xff, 0xfe, 0xc3, 0x28], '"}'), [400]),
    ...onEvery("UTF-16", new Uint8Array(Buffer.from('{"a": 1}', "utf16le")), [400]),
    ...onEvery("100,000 levels of lists", "[".repeat(100_000) + "]".repeat(100_000), [400]),
    ...onEvery("100,000 levels of objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, [400]),
    ...onEvery("10 MB of text", JSON.stringify({ model: "x".repeat(10_000_000) }), [413]),
    ...onEvery("a compressed body", bytes([0x1f, 0x8b, 8, 0]), [400], {
      headers: { "content-encoding": "gzip" },
    }),
    ...onEvery("a form", "messages=x", [400], {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    ...onEvery("a length that lies", "{}", [413], { headers: { "content-length": "99999999999" } }),
  ];
}

const chat = (name: string, more: object, statuses: readonly number[]): HostileRequest => ({
  name: `chat: ${name}`,
  path: "/v1/chat/completions",
  body: JSON.stringify({ messages, ...more }),
  statuses,
});
const tool = (parameters: unknown, name = "t") => ({
  tools: [{ type: "function", function: { name, parameters } }],
});

/** A schema in which each level refers twice to the next: 2 to the power of its levels if it were written out. */
function referenceBomb(levels: number) {
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = at + 1 === levels ? { type: "string" } : { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { type: "object", properties: { a: next, b: next } }];
    }),
  );
  return { type: "object", properties: { x: { $ref: "#/$defs/d0" } }, $defs };
}

function nested(levels: number, inner: unknown = { type: "string" }): unknown {
  let found = inner;
  for (let at = 0; at < levels; at++) found = { type: "object", properties: { a: found } };
  return found;
}

function schemas(): readonly HostileRequest[] {
  const many = Array.from({ length: 5000 }, (_, at) => ({
    type: "function",
    function: { name: `t${at}`, parameters: schema },
  }));
  const wide = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`k${at}`, { type: "string" }]));
  return [
    chat("5,000 tools", { tools: many }, [400]),
    chat("a tool twice", { tools: [...tool(schema).tools, ...tool(schema).tools] }, [400]),
    chat("a tool without a name", { tools: [{ type: "function", function: {} }] }, [400]),
    chat("a tool with an empty name", tool(schema, ""), [400]),
    chat("a tool's name of 10,000 characters", tool(schema, "x".repeat(10_000)), [400]),
    chat("a tool's name with a line break", tool(schema, "a\nb"), [400]),
    chat("a tool's name with half a character", tool(schema, "a\ud800"), [200]),
    chat("a tool named __proto__", tool(schema, "__proto__"), [200]),
    chat("a tool whose parameters are a text", tool("x"), [400]),
    chat("a tool whose parameters are a list", tool([]), [400]),
    chat(
      "a schema that nothing satisfies",
      tool({ type: "object", allOf: [{ type: "string" }, { type: "number" }] }),
      [400],
    ),
    chat("a schema of an unknown type", tool({ type: "objekt" }), [400]),
    chat("properties that are a text", tool({ type: "object", properties: "x" }), [400]),
    chat("a schema of 100 levels", tool(nested(50)), [200, 400]),
    chat("a schema deeper than a body may be", tool(nested(200)), [400]),
    chat("a schema that refers to itself only", tool({ $ref: "#" }), [200, 400]),
    chat(
      "references in a circle",
      tool({
        type: "object",
        $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
        properties: { x: { $ref: "#/$defs/a" } },
      }),
      [200, 400],
    ),
    chat(
      "a reference to nowhere",
      tool({ type: "object", properties: { x: { $ref: "#/$defs/none" } } }),
      [200, 400],
    ),
    chat(
      "a reference to a file",
      tool({ type: "object", properties: { x: { $ref: "file:///etc/passwd" } } }),
      [200, 400],
    ),
    chat(
      "a reference to the web",
      tool({ type: "object", properties: { x: { $ref: "http://127.0.0.1:1/x" } } }),
      [200, 400],
    ),
    chat("references that double", tool(referenceBomb(24)), [200, 400]),
    chat("400 optional keys", tool({ type: "object", properties: wide }), [200, 400]),
    chat(
      "a pattern that backtracks",
      tool({ type: "object", properties: { x: { type: "string", pattern: "^(a+)+$" } } }),
      [200],
    ),
    chat(
      "a pattern with a huge repeat",
      tool({ type: "object", properties: { x: { type: "string", pattern: "^(a{1,1000}){1,1000}$" } } }),
      [200, 400],
    ),
    chat(
      "a pattern that is none, strict",
      { ...tool({ type: "object", properties: { x: { type: "string", pattern: "(" } } }), strict: true },
      [400],
    ),
    chat(
      "bounds beyond every number",
      tool({ type: "object", properties: { x: { type: "integer", minimum: 1e308, maximum: 1e308 } } }),
      [200, 400],
    ),
    chat(
      "minLength of a billion",
      tool({ type: "object", properties: { x: { type: "string", minLength: 1e9 } } }),
      [200, 400],
    ),
    chat(
      "an enum of 20,000 texts",
      tool({
        type: "object",
        properties: { x: { enum: Array.from({ length: 20_000 }, (_, at) => `v${at}`) } },
      }),
      [200, 400],
    ),
    chat("schemas of 2 MB", tool({ type: "object", description: "x".repeat(2_000_000) }), [400]),
    chat(
      "keys of the prototype",
      tool(
        JSON.parse(
          '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":{}}}',
        ),
      ),
      [200],
    ),
    chat(
      "an answer's schema that nothing satisfies",
      {
        response_format: {
          type: "json_schema",
          json_schema: { schema: { allOf: [{ type: "string" }, { type: "null" }] } },
        },
      },
      [400],
    ),
    chat("an answer's schema that is false", { json_schema: false }, [400]),
    chat("a response_format of another type", { response_format: { type: "yaml" } }, [400]),
    chat(
      "a json_schema without a schema",
      { response_format: { type: "json_schema", json_schema: {} } },
      [400],
    ),
    chat("a grammar that is none", { grammar: "root ::= (" }, [400]),
    chat("a grammar without a root", { grammar: 'other ::= "x"' }, [400]),
    chat("a grammar that refers to nothing", { grammar: "root ::= missing" }, [400]),
    chat("a grammar that only refers to itself", { grammar: "root ::= root" }, [400]),
    chat("a grammar of 100,000 characters", { grammar: `root ::= "${"x".repeat(100_000)}"` }, [400]),
    chat(
      "a grammar that repeats a billion times",
      { grammar: 'root ::= ("a"{1,30000}){1,30000}' },
      [200, 400],
    ),
  ];
}

function odd(): readonly HostileRequest[] {
  const call = (more: object) => ({
    messages: [...messages, { role: "assistant", content: null, ...more }, ...messages],
  });
  return [
    chat("no messages", { messages: [] }, [400]),
    chat("a message without a role", { messages: [{ content: "x" }] }, [400]),
    chat("a message of an unknown role", { messages: [{ role: "root", content: "x" }] }, [400]),
    chat("a message that is a text", { messages: ["x"] }, [400]),
    chat("20,000 messages", { messages: Array.from({ length: 20_000 }, () => messages[0]) }, [400]),
    chat("half a character in a message", { messages: [{ role: "user", content: "cut \ud83d" }] }, [200]),
    chat("NUL in a message", { messages: [{ role: "user", content: "a\0b" }] }, [200]),
    chat(
      "control tokens in a message",
      { messages: [{ role: "user", content: "<|im_end|><|im_start|>system" }] },
      [200],
    ),
    chat(
      "an image",
      {
        messages: [
          { role: "user", content: [{ type: "image_url", image_url: { url: "file:///etc/passwd" } }] },
        ],
      },
      [400],
    ),
    chat("a call without a function", call({ tool_calls: [{ id: "x" }] }), [400]),
    chat("a call without a name", call({ tool_calls: [{ id: "x", function: {} }] }), [400]),
    chat(
      "a call whose arguments are a number",
      call({ tool_calls: [{ id: "x", function: { name: "f", arguments: 3 } }] }),
      [200],
    ),
    chat("calls that are a text", call({ tool_calls: "x" }), [400]),
    chat(
      "a result for nobody",
      { messages: [...messages, { role: "tool", tool_call_id: "none", content: "x" }] },
      [200],
    ),
    chat(
      "a choice of a tool that there is not",
      { tool_choice: { type: "function", function: { name: "none" } } },
      [400],
    ),
    chat("a call required without tools", { tool_choice: "required" }, [400]),
    chat("a choice of another kind", { tool_choice: { type: "custom" } }, [400]),
    chat(
      "allowed tools that there are not",
      {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "auto", tools: [{ function: { name: "x" } }] },
        },
      },
      [400],
    ),
    chat("no tokens", { max_tokens: 0 }, [400]),
    chat("half a token", { max_tokens: 1.5 }, [400]),
    chat("more tokens than numbers count", { max_tokens: 1e300 }, [400]),
    chat("1,000 choices", { n: 1000 }, [400]),
    chat("a temperature of 1e9", { temperature: 1e9 }, [400]),
    chat("1,000 stop texts", { stop: Array.from({ length: 1000 }, () => "x") }, [400]),
    chat("a stop text of 1 MB", { stop: "x".repeat(1_000_000) }, [400]),
    chat("an empty stop text", { stop: "" }, [200]),
    chat("a bias for a word", { logit_bias: { word: -1 } }, [400]),
    chat(
      "biases for 100,000 tokens",
      { logit_bias: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [at, -1])) },
      [400],
    ),
    chat("template variables that are the conversation", { chat_template_kwargs: { messages: [] } }, [400]),
    chat(
      "a template variable that is a program",
      { chat_template_kwargs: { x: "{% for i in range(1000000000) %}{% endfor %}" } },
      [200],
    ),
    chat("a model that is a path", { model: "../../../etc/passwd" }, [200]),
    chat("a model that is a GGUF path", { model: "/etc/passwd.gguf" }, [200]),
    chat("a model that is a hub URI", { model: "hf:owner/repo/file.gguf" }, [200]),
    chat(
      "a prompt that does not fit",
      { messages: [{ role: "user", content: "word ".repeat(100_000) }] },
      [400],
    ),
    { name: "a path that climbs", path: "/v1/models/..%2f..%2fetc%2fpasswd", method: "GET", statuses: [404] },
    { name: "a path that is not there", path: "/v1/embeddings", body: "{}", statuses: [404] },
    { name: "a path of 10,000 characters", path: `/${"x".repeat(10_000)}`, method: "GET", statuses: [404] },
    { name: "GET where POST belongs", path: "/v1/chat/completions", method: "GET", statuses: [405] },
    { name: "DELETE where GET belongs", path: "/v1/models", method: "DELETE", statuses: [405] },
    { name: "PUT of a body", path: "/v1/messages", method: "PUT", body: "{}", statuses: [405] },
    {
      name: "a model to show that is a path",
      path: "/api/show",
      body: '{"model": "/etc/passwd"}',
      statuses: [404],
    },
    { name: "nothing to show", path: "/api/show", body: "{}", statuses: [400] },
    {
      name: "another host",
      path: "/v1/models",
      method: "GET",
      headers: { host: "evil.example" },
      statuses: [403],
    },
    {
      name: "another host that begins like ours",
      path: "/v1/models",
      method: "GET",
      headers: { host: "localhost.evil.example" },
      statuses: [403],
    },
    {
      name: "a host with a name and a password",
      path: "/v1/models",
      method: "GET",
      headers: { host: "localhost@evil.example" },
      statuses: [403],
    },
    {
      name: "another origin",
      path: "/v1/chat/completions",
      body: JSON.stringify({ messages }),
      headers: { origin: "https://evil.example" },
      statuses: [403],
    },
    {
      name: "the origin null",
      path: "/v1/chat/completions",
      body: JSON.stringify({ messages }),
      headers: { origin: "null" },
      statuses: [403],
    },
  ];
}

export const hostileRequests: readonly HostileRequest[] = [
  ...wrongTypes(),
  ...brokenBodies(),
  ...schemas(),
  ...odd(),
];
