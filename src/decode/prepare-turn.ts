// Everything a turn needs before its first token: tools compiled, format chosen, prompt rendered, window counted.
// All of the caller's mistakes are found here.
import { chooseFormats, type FormatChoice, type OfferedTool, type PromptPart } from "../formats/index.ts";
import type { Model } from "../models/model.ts";
import type { Profile } from "../models/profile.ts";
import type { CompiledSchema } from "../schema-grammar/index.ts";
import {
  CallwrightError,
  type Message,
  type ToolChoice,
  type ToolDescription,
  type TurnEvent,
} from "../vocabulary/index.ts";
import { answerRule } from "./answer-form.ts";
import { toolCompileOptions } from "./check-tools.ts";
import { compileTools } from "./compile-tools.ts";
import { fitTurn } from "./fit-turn.ts";
import { groundOf } from "./ground-values.ts";
import { defaultLevers } from "./levers.ts";
import { likelyTools } from "./likely-tools.ts";
import { planReasoning, type ReasoningPlan } from "./plan-reasoning.ts";
import { repeatedTools, resultIsKnown } from "./repeated-rounds.ts";
import { commonUnits, otherConversation } from "./stable-prefix.ts";
import type { Attempt, Turn } from "./turn.ts";
import { TurnAccount } from "./turn-account.ts";
import type { DecodeContext, TurnRequest } from "./turn-request.ts";

export interface PreparedTurn {
  readonly turn: Turn;
  readonly attempt: Attempt;
  readonly messages: readonly Message[];
  readonly start: TurnEvent;
  readonly notices: readonly TurnEvent[];
  /** Renders a conversation with this turn's tools. */
  readonly render: (messages: readonly Message[], toolChoice: ToolChoice) => readonly PromptPart[];
}

/** Throws `CallwrightError`, see `decodeTurn`. */
export async function prepareTurn(context: DecodeContext, given: TurnRequest): Promise<PreparedTurn> {
  const { model } = context;
  const profile = sampledAs(context.profile, given);
  checkLogprobs(model, given);
  const toolChoice = given.toolChoice ?? "auto";
  // A run has a guard of its own, which says more.
  const isOwnLoop = given.run === undefined && toolChoice === "auto";
  const repeated = isOwnLoop ? repeatedTools(given.messages, profile.calls.repeats) : [];
  const isStuck = repeated.length > 0 && given.tools.every(({ name }) => repeated.includes(name));
  const request = repeated.length === 0 ? given : { ...given, messages: [...given.messages, resultIsKnown] };
  // A choice that names a tool asks for one call of it, as everywhere in the field.
  const parallel = request.parallel ?? (typeof toolChoice === "object" ? false : profile.calls.parallel);
  if (request.messages.length === 0) {
    throw new CallwrightError("request-invalid", "A request needs at least one message.", {
      pointer: "/messages",
    });
  }
  const chosen = formatsOf(context);
  const { calls } = profile;
  const compile = toolCompileOptions(profile);
  // Without tools in the prompt nothing is parsed as a call: `none` is exactly that.
  const wanted = toolChoice === "none" ? [] : request.tools;
  const answer = request.answer === undefined ? undefined : answerRule(request.answer, compile);
  const compiled = compileTools(wanted, { compile, onBadTool: request.onBadTool ?? "refuse" });

  const reasoning = planReasoning(profile, request.reasoning ?? {}, request.messages);

  const levers = { ...defaultLevers, ...request.levers };
  const template =
    levers.toolText === "format" ? { ...chosen.template, tellsOfTools: false } : chosen.template;
  const account = new TurnAccount();
  const render = (history: readonly Message[], offered: readonly ToolDescription[], choice: ToolChoice) => {
    const started = performance.now();
    const parts = chosen.formats[0].prompt(
      {
        messages: withInstructions(history, [reasoning.words, offered.length > 0 ? calls.instruction : ""]),
        tools: offered,
        toolChoice: choice,
        parallel,
        spacing: calls.spacing,
        variables: { ...profile.template.variables, ...request.variables, ...reasoning.variables },
        specialTokens: model.info.specialTokens,
        ...(request.answer === undefined ? {} : { answer: request.answer }),
      },
      template,
    );
    account.addTemplateTime(performance.now() - started);
    return parts;
  };
  const { messages, tools, prompt, budget, cuts } = await fitTurn(context, {
    request,
    tools: compiled.tools,
    compile,
    render: (history, offered) => render(history, offered, toolChoice),
  });
  const withheld = [...(request.run?.withheld ?? []), ...repeated];
  const callable = isStuck ? [] : withoutWithheld(narrow(allowed(tools, request), toolChoice), withheld);
  const candidates =
    calls.candidates === 0
      ? callable
      : likelyTools(callable, messages, { most: calls.candidates, always: ownTools(request) });

  const turn: Turn = {
    model,
    profile,
    levers,
    reasoning,
    formats: chosen.formats,
    tools,
    parallel,
    compile,
    seed: request.seed ?? 0,
    maxTokens: Math.min(request.maxTokens ?? profile.context.reserve, budget.reply),
    account,
    asked: request.messages.findLast(({ role }) => role === "user")?.content ?? "",
    ...(answer === undefined ? {} : { answer }),
    ...(request.logprobs === undefined ? {} : { logprobs: request.logprobs }),
    ...(calls.grounding ? { ground: groundOf(request.messages) } : {}),
    refused: [],
    delivered: new Map(),
    ...(request.signal ? { signal: request.signal } : {}),
  };
  return {
    turn,
    attempt: {
      prompt,
      stablePrefix: () => commonUnits(prompt, render(otherConversation(messages), tools, toolChoice)),
      callable,
      candidates,
      mustCall: toolChoice === "required" || typeof toolChoice === "object",
      forbidsCalls: isStuck,
    },
    messages,
    start: {
      type: "turn-start",
      profile: profile.name,
      format: chosen.formats[0].name,
      tools: tools.map((tool) => tool.name),
      budget: { ...budget },
      cuts,
    },
    notices: [
      ...fallbackNotices(chosen),
      ...unmetNotices(reasoning),
      ...leftOutNotices(compiled.leftOut),
      ...tools.flatMap(residualNotices),
      ...(answer?.notices ?? []),
      ...narrowedNotices(callable, candidates),
      ...repeatedNotices(repeated),
    ],
    render: (history, choice) => render(history, tools, choice),
  };
}

/** The request's sampling over the profile's: text and reasoning follow it, calls only where the request says so. */
function sampledAs(profile: Profile, { sampling = {}, sampleCalls = false }: TurnRequest): Profile {
  const { thinking, text, call } = profile.sampling;
  return {
    ...profile,
    sampling: {
      thinking: { ...thinking, ...sampling },
      text: { ...text, ...sampling },
      call: sampleCalls ? { ...call, ...sampling } : call,
    },
  };
}

function checkLogprobs({ info }: Model, { logprobs }: TurnRequest): void {
  if (logprobs === undefined || info.givesProbabilities) return;
  throw new CallwrightError("request-invalid", `${info.id} gives no probabilities: leave logprobs out.`, {
    pointer: "/logprobs",
  });
}

/** Those that the request lets the model call; the others are only shown. */
function allowed(tools: readonly OfferedTool[], { callable }: TurnRequest): readonly OfferedTool[] {
  return callable === undefined ? tools : tools.filter(({ name }) => callable.includes(name));
}

const choices = new WeakMap<Model, Map<string, FormatChoice>>();

/** A model's template is probed once for each profile's wish. */
function formatsOf({ model, profile }: DecodeContext): FormatChoice {
  const known = choices.get(model) ?? new Map<string, FormatChoice>();
  choices.set(model, known);
  const key = JSON.stringify([profile.format, profile.openers]);
  const choice =
    known.get(key) ??
    chooseFormats({ model: model.info, profile, render: (input) => model.renderTemplate(input) });
  known.set(key, choice);
  return choice;
}

/** What the profile has to say stands at the end of the system text, so that it is part of the stable prefix. */
function withInstructions(messages: readonly Message[], instructions: readonly string[]): readonly Message[] {
  const given = instructions.filter((instruction) => instruction !== "");
  if (given.length === 0) return messages;
  const [first, ...rest] = messages;
  const isSystem = first?.role === "system";
  const content = [...(isSystem ? [first.content] : []), ...given].join("\n\n");
  return [{ role: "system", content }, ...(isSystem ? rest : messages)];
}

/** Names of the tools with which a run finds others and reads on, and of those that were found. */
function ownTools({ run }: TurnRequest): readonly string[] {
  const own = [run?.finder, run?.reader].flatMap((tool) => (tool === undefined ? [] : [tool.name]));
  return [...own, ...(run?.foundTools ?? [])];
}

/** `required` and a name need something to call. */
function narrow<Tool extends { readonly name: string }>(
  tools: readonly Tool[],
  toolChoice: ToolChoice,
): readonly Tool[] {
  if (toolChoice === "auto" || toolChoice === "none") return tools;
  if (toolChoice === "required") {
    if (tools.length > 0) return tools;
    throw new CallwrightError(
      "tool-choice-unknown",
      "A call is required, but no tool is offered. Offer one, or choose auto.",
    );
  }
  const named = tools.filter((tool) => tool.name === toolChoice.name);
  if (named.length > 0) return named;
  const names = tools.map((tool) => tool.name).join(", ") || "none";
  throw new CallwrightError(
    "tool-choice-unknown",
    `The tool choice names "${toolChoice.name}", which is not offered. Offered: ${names}.`,
  );
}

function withoutWithheld<Tool extends { readonly name: string }>(
  tools: readonly Tool[],
  withheld: readonly string[],
): readonly Tool[] {
  const left = tools.filter((tool) => !withheld.includes(tool.name));
  return left.length === 0 ? tools : left;
}

/** A model that is asked in another way than it was trained for answers worse, which has to be known. */
function fallbackNotices({ fallback }: FormatChoice): readonly TurnEvent[] {
  if (fallback === undefined) return [];
  const reason = fallback.trim().split("\n")[0];
  const text = `The model's own chat template cannot be used (${reason}); it is asked by a plain transcript. Set "template.replacement" in its profile.`;
  return [{ type: "notice", code: "template-fallback", text }];
}

function unmetNotices({ unmet }: ReasoningPlan): readonly TurnEvent[] {
  return unmet.map((text) => ({ type: "notice", code: "reasoning-unmet", text }));
}

function repeatedNotices(names: readonly string[]): readonly TurnEvent[] {
  if (names.length === 0) return [];
  const text = `The same call of ${names.join(", ")} brought the same result again and again: not to be called in this turn, and the model is asked to answer.`;
  return [{ type: "notice", code: "repeated-calls-withheld", text }];
}

function narrowedNotices(
  callable: readonly ToolDescription[],
  candidates: readonly ToolDescription[],
): readonly TurnEvent[] {
  if (candidates.length === callable.length) return [];
  const names = candidates.map(({ name }) => name).join(", ");
  const text = `Of ${callable.length} tools, a call may name those that fit the request best: ${names}.`;
  return [{ type: "notice", code: "tools-narrowed", text }];
}

function leftOutNotices(
  leftOut: readonly { readonly name: string; readonly error: CallwrightError }[],
): readonly TurnEvent[] {
  return leftOut.map(({ name, error }) => ({
    type: "notice",
    code: "tool-left-out",
    text: `Tool "${name}" is not offered: ${error.message}`,
  }));
}

/** What the grammar does not enforce is said; validation catches it. */
function residualNotices(tool: {
  readonly name: string;
  readonly compiled: CompiledSchema;
}): readonly TurnEvent[] {
  const unenforced = tool.compiled.residual.filter((residual) => residual.direction === "over");
  return unenforced.map(({ pointer, keyword, reason }) => ({
    type: "notice",
    code: "schema-residual",
    text: `Tool "${tool.name}", ${pointer || "/"} ${keyword}: checked after decoding, not in the grammar (${reason}).`,
  }));
}
