// The random tests of one commit draw the same values everywhere, so that a commit is green or it is not. CALLWRIGHT_SEED draws
// others: a number, or `random`. The long runs (`npm run fuzz:…`) have seeds of their own.
import * as fc from "fast-check";

const asked = process.env.CALLWRIGHT_SEED ?? "1";
if (asked !== "random") {
  const seed = Number(asked);
  if (!Number.isInteger(seed))
    throw new Error(`CALLWRIGHT_SEED is "${asked}": give a whole number or "random"`);
  fc.configureGlobal({ seed });
}
