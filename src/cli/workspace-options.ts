// The options by which a command says what an agent may do in a folder, and the tools, rules and agents they come to.
import path from "node:path";
import { type Agent, builtInAgents, type ToolSource } from "../agent/index.ts";
import {
  type AnswerQuestion,
  type ChangeLog,
  changingTools,
  hookTools,
  loadProjectPlugins,
  loadProjectTools,
  loadSkills,
  type McpServer,
  type OpenMcpServer,
  openMcpServer,
  openWorkspace,
  type PermissionAction,
  type PermissionRule,
  type Plugin,
  parseRule,
  skillTool,
  type Tool,
  type Workspace,
} from "../tools/index.ts";
import { CallwrightError, isJsonObject, type JsonObject, type JsonValue } from "../vocabulary/index.ts";
import { type Command, InvalidArgumentError } from "./commander.ts";
import { readJsonFile } from "./read-json.ts";

export interface WorkspaceOptions {
  readonly workspace: string;
  readonly agent: string;
  readonly allow?: readonly OrderedRule[];
  readonly deny?: readonly OrderedRule[];
  readonly project?: boolean;
  readonly mcp?: string;
  readonly edits?: "text" | "patch";
}

/** Rules keep the order in which they were written, across both options. */
export interface OrderedRule {
  readonly at: number;
  readonly rule: PermissionRule;
}

/** What a command works with. */
export interface Setup {
  readonly workspace: Workspace;
  readonly agent: Agent;
  /** The agent's and the command line's, the last that matches wins. */
  readonly rules: readonly PermissionRule[];
  readonly plugins: readonly Plugin[];
  /** The tools' sources; those that change files keep what they do away with in `changes`. */
  sources(options: { readonly changes?: ChangeLog; readonly answer?: AnswerQuestion }): readonly ToolSource[];
  close(): Promise<void>;
}

/** Adds the options. `agent`: the agent that is taken by default. */
export function addWorkspaceOptions(command: Command, agent: string): Command {
  let written = 0;
  const collect =
    (action: PermissionAction) => (text: string, before: readonly OrderedRule[] | undefined) => {
      written += 1;
      return [...(before ?? []), { at: written, rule: readRule(text, action) }];
    };
  return command
    .option("--workspace <folder>", "folder the tools work in", ".")
    .option("--agent <name>", "read (changes nothing), build, or one of the project's", agent)
    .option(
      "--allow <rule>",
      'what needs no question: edit, "shell:git status *", "mcp:files/*" (repeatable)',
      collect("allow"),
    )
    .option(
      "--deny <rule>",
      'what may not be: shell, "read:*.key" (repeatable; the last rule that matches wins)',
      collect("deny"),
    )
    .option("--project", "load the programs in .callwright/ of the workspace: tools, plugins, agents")
    .option("--mcp <file>", "JSON file of MCP servers");
}

/** Opens what the options describe. Throws `CallwrightError` for what is not there or not right. */
export async function openSetup(
  options: WorkspaceOptions,
  environment: Readonly<Record<string, string | undefined>>,
  notice: (text: string) => void,
): Promise<Setup> {
  const workspace = await openWorkspace(options.workspace);
  const isProject = options.project ?? false;
  const agent = await findAgent(options.agent, workspace, isProject);
  const skill = skillTool(await loadSkills(workspace));
  const projectTools = isProject ? await loadProjectTools(workspace) : [];
  const plugins = isProject ? await loadProjectPlugins(workspace) : [];
  const servers = options.mcp === undefined ? [] : await connectServers(options.mcp, notice);
  const given = [...(options.allow ?? []), ...(options.deny ?? [])].sort((a, b) => a.at - b.at);
  return {
    workspace,
    agent,
    rules: [...(agent.rules ?? []), ...given.map(({ rule }) => rule)],
    plugins,
    sources: ({ changes, answer }) => {
      const builtIn = changingTools(workspace, {
        environment,
        ...(changes === undefined ? {} : { changes }),
        ...(answer === undefined ? {} : { answer }),
        ...(options.edits === undefined ? {} : { edits: options.edits }),
      });
      const hooked = (tools: readonly Tool[]) => hookTools(tools, plugins);
      return [
        { name: "built-in", tools: hooked([...builtIn, ...(skill === undefined ? [] : [skill])]) },
        { name: "project", tools: hooked(projectTools) },
        ...plugins.map(({ name, tools = [] }) => ({ name: `plugin ${name}`, tools: hooked(tools) })),
        ...servers.map((server) => ({
          name: `mcp ${server.name}`,
          tools: () => hooked(server.tools()),
        })),
      ];
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function readRule(text: string, action: PermissionAction): PermissionRule {
  try {
    return parseRule(text, action);
  } catch (error) {
    if (error instanceof CallwrightError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

async function findAgent(name: string, workspace: Workspace, isProject: boolean): Promise<Agent> {
  const builtIn = builtInAgents.find((agent) => agent.name === name);
  if (builtIn !== undefined) return builtIn;
  const file = `.callwright/agents/${name}.json`;
  const known = builtInAgents.map((agent) => agent.name).join(", ");
  if (!isProject || !/^[\w-]+$/.test(name)) {
    const hint = isProject ? "" : "; those of the project are loaded with --project";
    throw new CallwrightError("request-invalid", `There is no agent "${name}". Agents: ${known}${hint}.`);
  }
  return readAgent(name, await readJsonFile(path.join(workspace.root, file)), file);
}

/** An agent's file: `{ "description", "system", "tools", "rules", "steps" }`. */
function readAgent(name: string, value: unknown, file: string): Agent {
  const wrong = (what: string) => new CallwrightError("request-invalid", `"${file}" is no agent: ${what}.`);
  if (!isJsonObject(value)) throw wrong("it is no object");
  const { description = "", system, tools, rules, steps } = value;
  if (typeof description !== "string" || typeof system !== "string") throw wrong('"system" must be a text');
  if (tools !== undefined && !isTexts(tools)) throw wrong('"tools" must be a list of names');
  if (steps !== undefined && typeof steps !== "number") throw wrong('"steps" must be a number');
  return {
    name,
    description,
    system,
    ...(tools === undefined ? {} : { tools }),
    ...(steps === undefined ? {} : { steps }),
    ...(rules === undefined ? {} : { rules: readRules(rules, wrong) }),
  };
}

function readRules(rules: JsonValue, wrong: (what: string) => CallwrightError): readonly PermissionRule[] {
  if (!isTexts(rules)) throw wrong('"rules" must be a list such as ["allow edit:docs/*", "deny shell"]');
  return rules.map((text) => {
    const [, action = "", rule = ""] = /^(allow|ask|deny) (.+)$/s.exec(text) ?? [];
    if (action === "") throw wrong(`"${text}" does not begin with allow, ask or deny`);
    return parseRule(rule, action as PermissionAction);
  });
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

async function connectServers(
  file: string,
  notice: (text: string) => void,
): Promise<readonly OpenMcpServer[]> {
  const servers = readServers(await readJsonFile(file)).map(({ name, entry }) =>
    readServer(name, entry, file),
  );
  return Promise.all(
    servers.map(async (server) => {
      const opened = await openMcpServer(server);
      const problem = opened.problem();
      if (problem !== undefined) notice(`MCP server "${server.name}": ${problem}.`);
      return opened;
    }),
  );
}

/** The keys are those that other programs use too. */
function readServers(value: unknown): readonly { readonly name: string; readonly entry: JsonObject }[] {
  const list = isJsonObject(value) ? (value.mcpServers ?? value.servers ?? value) : undefined;
  if (!isJsonObject(list)) return [];
  return Object.entries(list).flatMap(([name, entry]) => (isJsonObject(entry) ? [{ name, entry }] : []));
}

function readServer(name: string, entry: JsonObject, file: string): McpServer {
  const { command, args = [], env, url, headers, protocol, cwd, timeout } = entry;
  const isTextMap = (value: JsonValue | undefined): value is Readonly<Record<string, string>> =>
    isJsonObject(value) && Object.values(value).every((one) => typeof one === "string");
  const fault =
    typeof command !== "string" && typeof url !== "string"
      ? 'it has neither "command" nor "url"'
      : !isTexts(args)
        ? '"args" must be a list of texts'
        : env !== undefined && !isTextMap(env)
          ? '"env" must be an object of texts'
          : headers !== undefined && !isTextMap(headers)
            ? '"headers" must be an object of texts'
            : undefined;
  if (fault !== undefined)
    throw new CallwrightError("request-invalid", `MCP server "${name}" in "${file}": ${fault}.`);
  return {
    name,
    args: args as readonly string[],
    ...(typeof command === "string" ? { command } : {}),
    ...(typeof url === "string" ? { url } : {}),
    ...(isTextMap(env) ? { env } : {}),
    ...(isTextMap(headers) ? { headers } : {}),
    ...(typeof cwd === "string" ? { folder: cwd } : {}),
    ...(protocol === "auto" ? { protocol } : {}),
    ...(typeof timeout === "number" ? { milliseconds: timeout } : {}),
  };
}
