// What a place may hold, before it is looked into: schema places and values under and, or, not.
// Terms are interned, so that equal ones are one object and recursion comes back to where it began.
// Knows nothing of keywords.
import type { JsonValue } from "../../vocabulary/index.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import type { Scope } from "./scope.ts";

export type Term =
  | { readonly type: "any"; readonly id: number }
  | { readonly type: "none"; readonly id: number }
  /** Anything, because no schema says a word; closing objects forbids it. */
  | { readonly type: "unstated"; readonly id: number }
  /** Anything, because what belongs here is not known; so is what does not. */
  | { readonly type: "unknown"; readonly id: number }
  | { readonly type: "schema"; readonly id: number; readonly node: SchemaNode; readonly scope: Scope }
  | { readonly type: "value"; readonly id: number; readonly value: JsonValue }
  /** Objects that have this key. */
  | { readonly type: "has"; readonly id: number; readonly name: string }
  | { readonly type: "and"; readonly id: number; readonly items: readonly Term[] }
  | { readonly type: "or"; readonly id: number; readonly items: readonly Term[] }
  | { readonly type: "not"; readonly id: number; readonly item: Term };

export const anyTerm: Term = { type: "any", id: 0 };
export const noneTerm: Term = { type: "none", id: 1 };
export const unstatedTerm: Term = { type: "unstated", id: 2 };
export const unknownTerm: Term = { type: "unknown", id: 3 };

/** All terms of one compilation. */
export interface TermTable {
  readonly byKey: Map<string, Term>;
  nextId: number;
}

export function createTermTable(): TermTable {
  return { byKey: new Map(), nextId: 4 };
}

export function schemaTerm(table: TermTable, node: SchemaNode, scope: Scope): Term {
  return intern(table, `s${node.id}.${scope.id}`, (id) => ({ type: "schema", id, node, scope }));
}

export function valueTerm(table: TermTable, value: JsonValue): Term {
  return intern(table, `v${JSON.stringify(value)}`, (id) => ({ type: "value", id, value }));
}

export function hasTerm(table: TermTable, name: string): Term {
  return intern(table, `h${name}`, (id) => ({ type: "has", id, name }));
}

/** What all of the terms allow. The order of `terms` decides nothing but the order of keys. */
export function andTerms(table: TermTable, terms: readonly Term[]): Term {
  const items = flatten(terms, "and");
  if (items.includes(noneTerm) || hasComplement(items)) return noneTerm;
  const saying = items.filter((item) => item !== anyTerm && item !== unstatedTerm);
  if (saying.length === 0) return items.length > 0 && !items.includes(anyTerm) ? unstatedTerm : anyTerm;
  return combine(table, "and", saying);
}

/** What any of the terms allows. */
export function orTerms(table: TermTable, terms: readonly Term[]): Term {
  const items = flatten(terms, "or");
  if (items.includes(anyTerm) || hasComplement(items)) return anyTerm;
  if (items.includes(unstatedTerm)) return unstatedTerm;
  const saying = items.filter((item) => item !== noneTerm);
  return saying.length === 0 ? noneTerm : combine(table, "or", saying);
}

/** What the term does not allow. */
export function notTerm(table: TermTable, term: Term): Term {
  if (term === noneTerm) return anyTerm;
  if (term === anyTerm || term === unstatedTerm) return noneTerm;
  if (term === unknownTerm) return unknownTerm;
  if (term.type === "not") return term.item;
  return intern(table, `!${term.id}`, (id) => ({ type: "not", id, item: term }));
}

/** Whether the term forbids nothing. */
export function saysNothing(term: Term): boolean {
  return term === anyTerm || term === unstatedTerm;
}

/** The pointer of the first schema place in a term, for reports. */
export function pointerOf(term: Term): string {
  switch (term.type) {
    case "schema":
      return term.node.pointer;
    case "and":
    case "or":
      return term.items[0] === undefined ? "" : pointerOf(term.items[0]);
    case "not":
      return pointerOf(term.item);
    default:
      return "";
  }
}

function intern(table: TermTable, key: string, make: (id: number) => Term): Term {
  const known = table.byKey.get(key);
  if (known !== undefined) return known;
  const term = make(table.nextId++);
  table.byKey.set(key, term);
  return term;
}

function combine(table: TermTable, type: "and" | "or", items: readonly Term[]): Term {
  const unique = [...new Set(items)];
  if (unique.length === 1) return unique[0] as Term;
  const ids = unique.map((item) => item.id).sort((a, b) => a - b);
  return intern(table, `${type === "and" ? "&" : "|"}${ids.join(",")}`, (id) => ({
    type,
    id,
    items: unique,
  }));
}

function flatten(terms: readonly Term[], type: "and" | "or"): readonly Term[] {
  return terms.some((term) => term.type === type)
    ? terms.flatMap((term) => (term.type === type ? term.items : [term]))
    : terms;
}

function hasComplement(terms: readonly Term[]): boolean {
  return terms.some((term) => term.type === "not" && terms.includes(term.item));
}
