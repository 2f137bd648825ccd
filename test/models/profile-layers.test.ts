import { describe, expect, it } from "vitest";
import { defaultProfile } from "../../src/models/profile.ts";
import {
  defaultLayer,
  describeOrigin,
  explainLayers,
  type ProfileLayer,
  resolveLayers,
} from "../../src/models/profile-layers.ts";

const family: ProfileLayer = {
  origin: { type: "profile", name: "fam", file: "models.example.json" },
  values: { format: "hermes-json", calls: { spacing: { indent: 2, level: 0 } }, openers: ["a", "b"] },
};
const entry: ProfileLayer = {
  origin: { type: "entry", id: "m", file: "models.json" },
  values: { openers: ["c"], context: { size: 4096 } },
};
const layers = [defaultLayer, family, entry];

describe("explainLayers", () => {
  const explained = new Map(explainLayers(layers).map(({ path, ...rest }) => [path, rest]));

  it("names for every value the last layer that set it", () => {
    expect(explained.get("format")).toEqual({ value: "hermes-json", origin: family.origin });
    expect(explained.get("openers")).toEqual({ value: ["c"], origin: entry.origin });
    expect(explained.get("context.size")).toEqual({ value: 4096, origin: entry.origin });
    expect(explained.get("calls.spacing.indent")).toEqual({ value: 2, origin: family.origin });
    expect(explained.get("retry.attempts")).toEqual({ value: 4, origin: { type: "default" } });
    expect(explained.get("template.variables")).toEqual({ value: {}, origin: { type: "default" } });
  });

  it("leaves no value of the profile out", () => {
    const parts = new Set([...explained.keys()].map((path) => path.split(".")[0]));
    expect([...parts].sort()).toEqual(Object.keys(defaultProfile).sort());
    expect(resolveLayers(layers).context).toEqual({ ...defaultProfile.context, size: 4096 });
  });
});

it("says origins in words", () => {
  expect([defaultLayer, family, entry].map((layer) => describeOrigin(layer.origin))).toEqual([
    "default",
    "profile fam in models.example.json",
    "entry m in models.json",
  ]);
});
