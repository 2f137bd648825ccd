// Context cases that need parts which are not built yet.

/** By case, why it is not executed. */
export const contextCasesLeftOut: Readonly<Record<string, string>> = {
  "u078-context-that-does-not-fit-memory": "needs a check of free memory before a model is loaded",
  "u079-ids-as-enum": "needs a hook by which a program gives the allowed values of a turn",
};

/** Context cases that need several requests at once; `server/queue.test.ts` runs them. */
export const serverContextCases: readonly string[] = ["u076-admission-control"];
