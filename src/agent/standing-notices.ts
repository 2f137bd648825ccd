// Notices that hold as long as the set-up does: in a run they are told once, not in every turn.
import type { TurnEvent } from "../vocabulary/index.ts";

const standing: ReadonlySet<string> = new Set([
  "reasoning-unmet",
  "schema-residual",
  "template-fallback",
  "tool-left-out",
]);

/** Says of each event of a run, in order, whether it repeats a standing notice of an earlier turn. */
export function createRepetitionFilter(): (event: TurnEvent) => boolean {
  const told = new Set<string>();
  return (event) => {
    if (event.type !== "notice" || !standing.has(event.code)) return false;
    // By text, so that a tool which joins the catalogue later is still spoken of.
    if (told.has(event.text)) return true;
    told.add(event.text);
    return false;
  };
}
