// A profile as layers, each with its origin, so that every value can be traced to who set it.
import { defaultProfile, layProfiles, type PartialProfile, type Profile } from "./profile.ts";

/** Who set a value. */
export type ProfileOrigin =
  | { readonly type: "default" }
  /** Read from the model's own file: its header and its chat template. */
  | { readonly type: "model-file" }
  /** A named profile of a catalogue, which stands for a family of models. */
  | { readonly type: "profile"; readonly name: string; readonly file: string }
  /** The model's own entry in a catalogue. */
  | { readonly type: "entry"; readonly id: string; readonly file: string };

export interface ProfileLayer {
  readonly origin: ProfileOrigin;
  readonly values: PartialProfile;
}

/** One value of a profile, as `sampling.text.temperature`, and who set it. Lists are one value. */
export interface ExplainedValue {
  readonly path: string;
  readonly value: unknown;
  readonly origin: ProfileOrigin;
}

export const defaultLayer: ProfileLayer = { origin: { type: "default" }, values: defaultProfile };

/** The profile of layers, the first of which is `defaultLayer`; later ones win. */
export function resolveLayers(layers: readonly ProfileLayer[]): Profile {
  return layProfiles(...layers.map((layer) => layer.values)) as Profile;
}

/** Every value of the resolved layers with the layer that it comes from, in the profile's own order. */
export function explainLayers(layers: readonly ProfileLayer[]): readonly ExplainedValue[] {
  return leavesOf(resolveLayers(layers), []).map(({ path, value }) => {
    const origin = layers.findLast((layer) => valueAt(layer.values, path) !== undefined)?.origin;
    return { path: path.join("."), value, origin: origin ?? defaultLayer.origin };
  });
}

/** An origin in words. */
export function describeOrigin(origin: ProfileOrigin): string {
  switch (origin.type) {
    case "default":
      return "default";
    case "model-file":
      return "the model's file";
    case "profile":
      return `profile ${origin.name} in ${origin.file}`;
    case "entry":
      return `entry ${origin.id} in ${origin.file}`;
    default:
      return origin satisfies never;
  }
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leavesOf(value: unknown, path: readonly string[]): readonly Leaf[] {
  if (!isBranch(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return isBranch(value) ? valueAt(value[key], rest) : undefined;
}

/** An empty object is a value too: variables that nobody set. */
function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}
