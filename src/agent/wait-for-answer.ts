// Waits for the answer to one permission, as long as it may take. No answer is a no.
import type { AskedPermission, PermissionPolicy } from "./permission-gate.ts";

export interface GivenAnswer {
  /** `nobody`: there is no one to ask; `timeout`: no one answered in time. Both are a no. */
  readonly type: "once" | "always" | "no" | "nobody" | "timeout";
  /** What the model is told besides. */
  readonly reason?: string;
}

/** Rejects with the signal's reason where the call is aborted meanwhile, and with what asking threw. */
export async function waitForAnswer(
  policy: PermissionPolicy | undefined,
  request: AskedPermission,
  milliseconds: number,
): Promise<GivenAnswer> {
  const { signal } = request;
  signal.throwIfAborted();
  if (policy?.allow === undefined) return { type: "nobody" };
  let timer: NodeJS.Timeout | undefined;
  let abort = () => {};
  const over = new Promise<GivenAnswer>((resolve, reject) => {
    const reason = `Nobody answered within ${milliseconds / 1000} s.`;
    timer = setTimeout(() => resolve({ type: "timeout", reason }), milliseconds);
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    const answered = Promise.resolve(policy.allow(request)).then(readAnswer);
    return await Promise.race([answered, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Programs without types may answer anything: what is not a clear yes is a no. */
function readAnswer(answer: unknown): GivenAnswer {
  if (answer === true || answer === "once") return { type: "once" };
  if (answer === "always") return { type: "always" };
  if (typeof answer === "object" && answer !== null && "no" in answer && typeof answer.no === "string") {
    return { type: "no", reason: answer.no };
  }
  return { type: "no" };
}
