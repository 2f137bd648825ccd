// A turn of ours, timed, with the prompt that it gave the model, so that a peer can be given the same.
import { decodeTurn, foldTurn } from "../../src/decode/decode-turn.ts";
import type { GenerateRequest, Model } from "../../src/models/model.ts";
import type { Profile } from "../../src/models/profile.ts";
import type { Call, Message, Usage } from "../../src/vocabulary/index.ts";
import { type Evaluation, takeEvaluations } from "./evaluations.ts";
import type { OwnFigures } from "./measured.ts";
import { catalogue } from "./requests.ts";

export interface OwnTurn {
  readonly call: Call | undefined;
  /** Prompt and the call's opener. */
  readonly prompt: string;
  readonly usage: Usage;
  readonly milliseconds: number;
  readonly evaluations: readonly Evaluation[];
}

/** One call, which is asked for in any case. */
export async function ownTurn(
  { model, profile }: { readonly model: Model; readonly profile: Profile },
  messages: readonly Message[],
  tools = catalogue.tools,
): Promise<OwnTurn> {
  const requests: GenerateRequest[] = [];
  const watched: Model = Object.create(model, {
    info: { value: model.info },
    generate: {
      value: (request: GenerateRequest) => {
        requests.push(request);
        return model.generate(request);
      },
    },
    renderTemplate: { value: model.renderTemplate.bind(model) },
    countTokens: { value: model.countTokens.bind(model) },
    score: { value: model.score.bind(model) },
  });
  takeEvaluations();
  const started = performance.now();
  const { calls, usage } = await foldTurn(
    decodeTurn(
      { model: watched, profile },
      { messages, tools, toolChoice: "required", parallel: false, maxTokens: 256 },
    ),
  );
  const milliseconds = performance.now() - started;
  const first = requests.find(({ span }) => span.type === "constrained");
  const parts = first === undefined ? [] : [...first.prompt, ...first.prefix];
  return {
    call: calls[0],
    prompt: parts.map(({ text }) => text).join(""),
    usage,
    milliseconds,
    evaluations: takeEvaluations(),
  };
}

/** Without the texts. */
export function ownFigures({ milliseconds, usage, evaluations }: OwnTurn): OwnFigures {
  return { milliseconds, usage, evaluations };
}
