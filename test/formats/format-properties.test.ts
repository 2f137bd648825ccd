import { describe, it } from "vitest";
import { formats } from "../../src/formats/index.ts";
import {
  checkAnyText,
  checkCuts,
  checkFaults,
  checkLargeNumbers,
  checkRoundTrips,
  checkTemplate,
} from "./format-properties.ts";
import { templateOf } from "./template-of-format.ts";

describe("every format, over generated calls", () => {
  for (const format of formats) {
    const template = templateOf[format.name];

    it(`${format.name}: what is written is accepted and read back`, () => {
      checkRoundTrips(format, { runs: 40 });
    });

    if (template !== undefined) {
      it(`${format.name}: what ${template} writes is read back`, () => {
        checkTemplate(format, template, { runs: 40 });
      });
    }

    it(`${format.name}: a text says the same however it is cut`, () => {
      checkCuts(format, { runs: 5 });
    });

    it(`${format.name}: any text is read, and no call comes out of nothing`, () => {
      checkAnyText(format, { runs: 40 });
    });

    it(`${format.name}: a single fault is refused while decoding`, () => {
      checkFaults(format, { runs: 10 });
    });

    it(`${format.name}: whole numbers of 64 bits keep their digits`, () => {
      checkLargeNumbers(format);
    });
  }
});
