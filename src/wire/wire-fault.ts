// What went wrong with a request, as far as every API tells it apart; each writes it in a shape of its own.
// Knows no shape, and of status codes only what HTTP itself says of them (RFC 9110, section 15).
import { CallwrightError, isAborted } from "../vocabulary/index.ts";

export type FaultKind =
  | "invalid"
  | "overflow"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "model-not-found"
  | "model-failed"
  | "method"
  | "too-large"
  | "too-slow"
  | "busy"
  | "loading"
  | "time-limit"
  | "aborted"
  | "internal";

export interface WireFault {
  readonly kind: FaultKind;
  /** For people; says what to do. */
  readonly message: string;
  /** JSON pointer into the request's body. */
  readonly pointer?: string;
  /** Our own code, where the fault is the request's. */
  readonly code?: string;
  /** Tokens of the prompt and of the window, where it does not fit. */
  readonly tokens?: { readonly prompt: number; readonly window: number };
  /** Seconds after which it may be tried again. */
  readonly retryAfter?: number;
}

const statuses: Readonly<Record<FaultKind, number>> = {
  invalid: 400,
  overflow: 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  "model-not-found": 404,
  method: 405,
  "too-slow": 408,
  "too-large": 413,
  // Nginx's "client closed request": nobody reads it.
  aborted: 499,
  internal: 500,
  "model-failed": 500,
  busy: 503,
  loading: 503,
  "time-limit": 504,
};

/** The status that HTTP has for it. */
export function statusOf({ kind }: WireFault): number {
  return statuses[kind];
}

/** The fault that an error is. What is no mistake of the caller's is `internal`, and says nothing of our insides. */
export function faultOf(error: unknown): WireFault {
  if (isAborted(error)) return { kind: "aborted", message: "The request was aborted." };
  if (!(error instanceof CallwrightError)) {
    return { kind: "internal", message: "Callwright itself failed; its log says where." };
  }
  const { code, pointer } = error;
  const common = { code, ...(pointer === undefined ? {} : { pointer }) };
  switch (code) {
    case "context-overflow":
      return { kind: "overflow", message: withoutRetryCodes(error.message), ...overflowTokens(error), code };
    case "model-unknown":
    case "model-missing":
      return { kind: "model-not-found", message: withoutRetryCodes(error.message), ...common };
    case "schema-invalid":
    case "schema-unsatisfiable":
    case "schema-too-deep":
    case "grammar-invalid":
    case "tool-duplicate":
    case "tool-invalid":
    case "tool-choice-unknown":
    case "request-invalid":
    case "model-unsupported":
      return { kind: "invalid", message: withoutRetryCodes(error.message), ...common };
    // The server that this one asks is away, or took what was asked for a mistake.
    case "endpoint-unreachable":
    case "endpoint-lost":
      return { kind: "busy", message: error.message, ...common, retryAfter: 5 };
    case "endpoint-refused":
      return {
        kind: error.details?.status === 400 ? "invalid" : "internal",
        message: error.message,
        ...common,
      };
    default:
      return { kind: "internal", message: error.message, ...common };
  }
}

function overflowTokens({ details = {} }: CallwrightError): Pick<WireFault, "tokens"> {
  const { needed, available, prompt, window } = details;
  const used = prompt ?? needed;
  const size = window ?? available;
  return typeof used === "number" && typeof size === "number"
    ? { tokens: { prompt: used, window: size } }
    : {};
}

/**
 * Clients take a refusal whose text holds one of these digits for one that passes, and ask again in vain (OpenCode 1.18 looks
 * for them anywhere). A mark between digits keeps people able to read the number. Places in a schema stay as they are.
 */
export function withoutRetryCodes(message: string): string {
  return message.replace(/(?<![\w/])\d*?(?:429|500|502|503|504|524)\d*/g, (run) =>
    run.replace(/(4)(29)|(5)(0[0234]|24)/g, (code) => `${code[0] ?? ""}'${code.slice(1)}`),
  );
}
