// What a format lets follow its opener for certain tools: built once and kept. Knows nothing of turns.

import type { Constraint, ConstraintRequest, Format } from "../formats/index.ts";
import { createMatcher } from "../gbnf-builder/index.ts";
import { LRUCache } from "./lru-cache.ts";

const constraints = new LRUCache<string, Constraint>({ max: 64 });
const starts = new LRUCache<string, string>({ max: 4096 });

/** A format's constraint, the same object for the same request, so that its matcher and masks are built once. */
export function cachedConstraint(format: Format, request: ConstraintRequest): Constraint {
  const key = constraintKey(format, request);
  const known = constraints.get(key);
  if (known) return known;
  const constraint = format.constraint(request);
  constraints.set(key, constraint);
  return constraint;
}

/**
 * The text that all calls of the request begin with, behind its opener. Kept for each request: an `auto` turn asks for
 * every tool alone, in every format, which would push the turn's own constraints out of their cache.
 */
export function forcedStart(format: Format, request: ConstraintRequest): string {
  const key = constraintKey(format, request);
  const known = starts.get(key);
  if (known !== undefined) return known;
  const matcher = createMatcher(format.constraint(request).grammar);
  const start = new TextDecoder().decode(matcher.forced(matcher.start).bytes, { stream: true });
  starts.set(key, start);
  return start;
}

function constraintKey(
  format: Format,
  { tools, opener, parallel, spacing, specialTokens }: ConstraintRequest,
) {
  return JSON.stringify([
    format.name,
    opener,
    parallel,
    spacing,
    tools.map((tool) => [tool.name, identityOf(tool.compiled)]),
    // A vocabulary may list thousands of special tokens.
    specialTokens && identityOf(specialTokens),
  ]);
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** A number that no other object has. */
function identityOf(object: object): number {
  const known = identities.get(object);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(object, lastIdentity);
  return lastIdentity;
}
