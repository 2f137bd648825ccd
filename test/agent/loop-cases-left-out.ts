// Loop cases that need parts which are not built yet.

/** By case, why it is not executed. */
export const loopCasesLeftOut: Readonly<Record<string, string>> = {
  "u083-greeting-needs-no-tool":
    "asks a real model; the small-talk prompts with real weights stand in for it",
};

/** Loop cases that end a process; `durable-cases.test.ts` runs them. */
export const durableLoopCases: readonly string[] = [
  "u089-crash-after-effect",
  "u090-dangling-call-on-resume",
  "u091-one-result-per-call",
  "u092-parallel-mixed-approval",
];
