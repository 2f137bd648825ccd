// Automata as grammar rules: one rule per state that is reached from several places, everything else written in line.
import { choice, isEmptyText, optional, repeat, sequence, times } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import { type Automaton, automatonKey, edgesOf } from "./automaton.ts";
import { isEveryCharacter, sameRanges, type Tail, tailOf } from "./automaton-facts.ts";
import type { TailedAutomaton } from "./bound-lengths.ts";
import { type Ranges, rangesKey } from "./code-points.ts";
import type { EmitContext } from "./emit-context.ts";
import type { Spelling } from "./spelling.ts";
import { textKey } from "./text-key.ts";

/** Deeper nesting than this goes on in a rule of its own. */
const deepest = 16;

/** The texts of the automaton in a spelling, with what closes it but without what opens it. */
export function emitAutomaton(
  { automaton, tails }: TailedAutomaton,
  context: EmitContext,
  spelling: Spelling,
): Expression {
  const shared = sharedStates(automaton);
  const known = new Map<number, Tail | undefined>();
  // Short, because each reference to a state looks its rule up by a key that begins so.
  const keyStem = `${spelling.name}-text:${textKey(`${automatonKey(automaton)}:${tails.map(tailKey).join(";")}`)}`;
  return refer(0, 0);

  function refer(state: number, depth: number): Expression {
    if (tailAt(state) === undefined && (shared.has(state) || depth > deepest)) {
      return context.rule(`${keyStem}:${state}`, () => write(state, 0));
    }
    return write(state, depth);
  }

  function tailAt(state: number): Tail | undefined {
    const kind = automaton.accepting[state] as number;
    return kind > 1 ? tails[kind - 2] : tailOf(automaton, state, known);
  }

  function write(start: number, depth: number): Expression {
    const items: Expression[] = [];
    const run = createRun(items, context, spelling);
    for (let state = start; ; ) {
      const tail = tailAt(state);
      if (tail !== undefined) {
        run.end();
        if (tail.max !== 0)
          items.push(repeat(emitCharacters(tail.ranges, context, spelling), tail.min, tail.max));
        items.push(spelling.close);
        return sequence(...items);
      }
      const edges = edgesOf(automaton, state);
      const loop = edges.find((edge) => edge.target === state);
      const onward = edges.filter((edge) => edge !== loop);
      if (loop !== undefined) {
        run.end();
        items.push(repeat(emitCharacters(loop.ranges, context, spelling), 0));
      }
      const only = onward.length === 1 && automaton.accepting[state] === 0 ? onward[0] : undefined;
      if (only === undefined || tailAt(only.target) !== undefined || shared.has(only.target)) {
        run.end();
        const options = onward.map(({ ranges, target }) =>
          sequence(emitCharacters(ranges, context, spelling), refer(target, depth + 1)),
        );
        if (automaton.accepting[state] === 0) items.push(choice(...options));
        else if (isEmptyText(spelling.close)) items.push(optional(choice(...options)));
        else items.push(choice(...options, spelling.close));
        return sequence(...items);
      }
      run.add(only.ranges);
      state = only.target;
    }
  }
}

/** One character of a set; a set that takes many ranges to write is a rule of its own. */
export function emitCharacters(ranges: Ranges, context: EmitContext, spelling: Spelling): Expression {
  if (isEveryCharacter(ranges)) {
    return context.rule(`${spelling.name}-character`, () => spelling.characters(ranges));
  }
  if (ranges.length <= 4) {
    const expression = spelling.characters(ranges);
    if (expression.type !== "choice") return expression;
  }
  return context.rule(`${spelling.name}-set:${rangesKey(ranges)}`, () => spelling.characters(ranges));
}

/** Gathers equal neighbours, so that `[0-9]` eight times is one repeat. */
function createRun(items: Expression[], context: EmitContext, spelling: Spelling) {
  let current: Ranges | undefined;
  let count = 0;
  return {
    add(ranges: Ranges): void {
      if (current !== undefined && !sameRanges(current, ranges)) this.end();
      current = ranges;
      count++;
    },
    end(): void {
      if (current !== undefined) {
        const one = emitCharacters(current, context, spelling);
        items.push(
          one.type === "literal" ? sequence(...Array<Expression>(count).fill(one)) : times(one, count),
        );
      }
      current = undefined;
      count = 0;
    },
  };
}

/** States that more than one edge leads to (their own loops aside), and the start where any leads back to it. */
function sharedStates(automaton: Automaton): ReadonlySet<number> {
  const incoming = new Int32Array(automaton.stateCount);
  for (let state = 0; state < automaton.stateCount; state++) {
    for (const { target } of edgesOf(automaton, state)) {
      if (target !== state) incoming[target] = (incoming[target] as number) + 1;
    }
  }
  const shared = new Set<number>();
  incoming.forEach((count, state) => {
    if (count > (state === 0 ? 0 : 1)) shared.add(state);
  });
  return shared;
}

function tailKey(tail: Tail): string {
  return `${tail.min},${tail.max}:${rangesKey(tail.ranges)}`;
}
