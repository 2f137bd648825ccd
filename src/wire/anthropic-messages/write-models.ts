// Anthropic's list of models.
import type { JsonObject } from "../../vocabulary/index.ts";
import type { ModelCard } from "../model-card.ts";

export function writeModelList(cards: readonly ModelCard[]): JsonObject {
  return {
    data: cards.map(writeModel),
    first_id: cards[0]?.id ?? null,
    last_id: cards.at(-1)?.id ?? null,
    has_more: false,
  };
}

export function writeModel({ id, contextSize, replySize }: ModelCard): JsonObject {
  return {
    type: "model",
    id,
    display_name: id,
    created_at: "1970-01-01T00:00:00Z",
    ...(contextSize === undefined ? {} : { max_input_tokens: contextSize }),
    ...(replySize === undefined ? {} : { max_tokens: replySize }),
  };
}
