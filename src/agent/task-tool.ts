// The tool by which a model gives a part of its task to an agent with a context and a catalogue of its own.
// The agent's calls go through the same policy; it cannot be given more than the run that starts it has.
import type { DecodeContext } from "../decode/turn-request.ts";
import { defineTool, type Tool, type ToolContext, ToolFailure, type ToolResult } from "../tools/index.ts";
import type { RunEvent } from "../vocabulary/index.ts";
import type { Agent } from "./agents.ts";
import { foldRun } from "./fold-run.ts";
import type { RunRequest } from "./run-state.ts";

/** Which agents a run may start, how deep and how many. */
export interface Subagents {
  readonly agents: readonly Agent[];
  /** Agents within agents. Default: 1, an agent starts no other. */
  readonly depth?: number;
  /** Agents that one run may start. Default: 5. */
  readonly most?: number;
}

export interface TaskSetting {
  readonly context: DecodeContext;
  /** The run that starts agents. */
  readonly request: RunRequest;
  readonly subagents: Subagents;
  readonly run: (context: DecodeContext, request: RunRequest) => AsyncIterable<RunEvent>;
}

type TaskInput = { readonly agent: string; readonly task: string };

const minutes = 30;
export const taskToolName = "start_task";

/** The kinds of agents are an enum of its schema, so that none is invented. */
export function createTaskTool(setting: TaskSetting): Tool {
  const { agents, most = 5 } = setting.subagents;
  const kinds = agents.map(({ name, description }) => `${name}: ${description}`).join(" ");
  let started = 0;
  return defineTool<TaskInput>({
    name: taskToolName,
    description: `Give a part of the task to an agent, which starts without this conversation and gives back its answer. ${kinds}`,
    shortDescription: `Give a part of the task to an agent. ${kinds}`,
    inputSchema: {
      type: "object",
      properties: {
        agent: { enum: agents.map(({ name }) => name) },
        task: {
          type: "string",
          minLength: 1,
          maxLength: 4_000,
          description: "All that the agent has to know.",
        },
      },
      required: ["agent", "task"],
      additionalProperties: false,
    },
    permissions: ["task"],
    concurrency: "alone",
    milliseconds: () => minutes * 60_000,
    execute: async (input, context) => {
      const agent = agents.find(({ name }) => name === input.agent);
      if (agent === undefined) throw new ToolFailure(`There is no agent "${input.agent}".`);
      await context.ask({ permission: "task", patterns: [agent.name] });
      if (started >= most) throw new ToolFailure(`No more than ${most} agents may be started in one run.`);
      started += 1;
      return runAgent(agent, input.task, context, setting);
    },
  });
}

async function runAgent(
  agent: Agent,
  task: string,
  context: ToolContext,
  setting: TaskSetting,
): Promise<ToolResult> {
  const { request, subagents } = setting;
  const depth = (subagents.depth ?? 1) - 1;
  const { session, subagents: _own, toolChoice: _choice, stopWhen: _stop, permissions, ...rest } = request;
  const events = setting.run(setting.context, {
    ...rest,
    messages: [
      { role: "system", content: agent.system },
      { role: "user", content: task },
    ],
    tools: () => agentTools(agent, request.tools),
    permissions: { ...permissions, rules: [...(agent.rules ?? []), ...(permissions?.rules ?? [])] },
    limits: { ...rest.limits, ...(agent.steps === undefined ? {} : { steps: agent.steps }) },
    signal: context.signal,
    ...(depth > 0 ? { subagents: { ...subagents, depth } } : {}),
    ...(session === undefined ? {} : { approvals: session.approvals }),
  });
  const result = await foldRun(watch(events, context, (event) => session?.addEvent(event)));
  if (result.reason === "done") {
    return {
      text: result.text,
      title: `${agent.name}: ${task.slice(0, 60)}`,
      metadata: { turns: result.turns },
    };
  }
  const said = result.text === "" ? "" : ` Its last words: ${result.text}`;
  throw new ToolFailure(`The agent "${agent.name}" ended without an answer (${result.reason}).${said}`);
}

/** What the agent does is told as this call's progress, and stands in the session's trace under its own run. */
async function* watch(
  events: AsyncIterable<RunEvent>,
  context: ToolContext,
  record: (event: RunEvent) => void,
): AsyncGenerator<RunEvent> {
  for await (const event of events) {
    record(event);
    if (event.type === "tool-start") context.progress(`${event.name} ${JSON.stringify(event.input)}`);
    yield event;
  }
}

function agentTools(agent: Agent, tools: RunRequest["tools"]): readonly Tool[] {
  const all = typeof tools === "function" ? tools() : tools;
  return agent.tools === undefined ? all : all.filter(({ name }) => agent.tools?.includes(name));
}
