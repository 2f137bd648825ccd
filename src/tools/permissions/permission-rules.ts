// Rules that say what tools may do, and how they are judged: the last rule that matches wins, the strictest pattern of a
// request counts. Knows nothing of who is asked or of where rules are kept.
import { CallwrightError } from "../../vocabulary/index.ts";
import { matchesExactly, matchesLoosely, namesCommand } from "./match-pattern.ts";

export type PermissionAction = "allow" | "ask" | "deny";

/** `permission`: a kind (`read`, `edit`, `shell` …), a tool's name, or a pattern of them; `pattern`: what it is about. */
export interface PermissionRule {
  readonly permission: string;
  /** `*` by default: anything. */
  readonly pattern?: string;
  readonly action: PermissionAction;
}

/** What is asked of the rules: one kind of thing that one tool wants to do. */
export interface JudgedRequest {
  readonly tool: string;
  readonly permission: string;
  /** What it is about: paths, commands, addresses. Every one of them has to be allowed. */
  readonly patterns: readonly string[];
  /** Why the patterns do not say all that would happen: then no rule allows it, only a person. */
  readonly unclear?: string;
  /** Only a rule that denies counts: for what may happen beside the thing that is asked for. */
  readonly denyOnly?: boolean;
}

/** Which rule decided, so that it can be named. */
export interface Judgement {
  readonly action: PermissionAction;
  readonly rule?: PermissionRule;
}

/**
 * The rules under all others. Reading and what stays within the run is free; what looks like a secret is asked; paths
 * outside the workspace are denied; all else is asked.
 */
export const defaultRules: readonly PermissionRule[] = [
  { permission: "*", action: "ask" },
  { permission: "outside", action: "deny" },
  { permission: "read", action: "allow" },
  { permission: "read", pattern: "*.env", action: "ask" },
  { permission: "read", pattern: "*.env.*", action: "ask" },
  { permission: "read", pattern: "*id_rsa*", action: "ask" },
  { permission: "read", pattern: "*.pem", action: "ask" },
  { permission: "todo", action: "allow" },
  { permission: "question", action: "allow" },
  { permission: "skill", action: "allow" },
  { permission: "task", action: "allow" },
];

/** The kinds of permission that built-in tools ask for. */
const kinds: ReadonlySet<string> = new Set(
  "read edit shell fetch outside mcp todo question skill task".split(" "),
);

const strictness: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** Judges a request: the strictest judgement of its patterns. Without a rule that matches it is `ask`. */
export function judgeRequest(rules: readonly PermissionRule[], request: JudgedRequest): Judgement {
  let strictest: Judgement = { action: "allow" };
  const patterns = request.patterns.length > 0 ? request.patterns : [""];
  for (const pattern of patterns) {
    const rule = rules.findLast((candidate) => matchesRule(candidate, request, pattern));
    const found: Judgement = rule === undefined ? { action: "ask" } : { action: rule.action, rule };
    if (strictness[found.action] > strictness[strictest.action]) strictest = found;
  }
  if (request.denyOnly) return strictest.action === "deny" ? strictest : { action: "allow" };
  if (request.unclear !== undefined && strictest.action === "allow") return { action: "ask" };
  return strictest;
}

/** The rule by which a tool is hidden: the last word on one of its permissions is a deny for everything. */
export function hidingRule(
  rules: readonly PermissionRule[],
  tool: { readonly name: string; readonly permissions?: readonly string[] },
): PermissionRule | undefined {
  for (const permission of tool.permissions ?? [tool.name]) {
    const last = rules.findLast((rule) => namesPermission(rule, { tool: tool.name, permission }));
    if (last?.action === "deny" && (last.pattern ?? "*") === "*") return last;
  }
  return undefined;
}

/** Reads `edit`, `shell:git status *` or `read:*.env` as a rule. Throws `request-invalid` for what is none. */
export function parseRule(text: string, action: PermissionAction): PermissionRule {
  const colon = text.indexOf(":");
  const permission = (colon < 0 ? text : text.slice(0, colon)).trim();
  const pattern = colon < 0 ? "*" : text.slice(colon + 1).trim();
  if (permission !== "" && pattern !== "") return { permission, pattern, action };
  throw new CallwrightError(
    "request-invalid",
    `"${text}" is no rule: write a permission such as edit, or a permission and a pattern such as "shell:git status *".`,
  );
}

/** A rule as it is written. */
export function writeRule(rule: PermissionRule): string {
  return `${rule.action} ${rule.permission}${(rule.pattern ?? "*") === "*" ? "" : `:${rule.pattern}`}`;
}

function matchesRule(rule: PermissionRule, request: JudgedRequest, pattern: string): boolean {
  if (!namesPermission(rule, request)) return false;
  const wanted = rule.pattern ?? "*";
  if (wanted === "*") return true;
  if (rule.action === "allow") return matchesExactly(wanted, pattern);
  return request.permission === "shell" ? namesCommand(wanted, pattern) : matchesLoosely(wanted, pattern);
}

function namesPermission(
  rule: PermissionRule,
  { tool, permission }: Pick<JudgedRequest, "tool" | "permission">,
): boolean {
  // A tool whose name is a kind's asks for other kinds too: `shell` speaks of what it runs, not of what it reads.
  const names = kinds.has(tool) ? [permission] : [permission, tool];
  // A name that only looks like a built-in's is not allowed by that one's rule, but is refused by it.
  const matches = rule.action === "allow" ? matchesExactly : matchesLoosely;
  return names.some((name) => matches(rule.permission, name));
}
