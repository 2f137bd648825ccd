// Which family a model file belongs to, by what its header and its name say, and what the file itself says of its treatment.
import { findReasoningMarks } from "../formats/index.ts";
import type { GgufHeader } from "./local/check-gguf.ts";
import type { FamilyMatch } from "./model-entry.ts";
import { defaultProfile } from "./profile.ts";
import type { ProfileLayer } from "./profile-layers.ts";

/** A named profile and the signs of its family. */
export interface Family {
  readonly profile: string;
  readonly match: readonly FamilyMatch[];
}

/** A model file by its header and its name. */
export interface ModelFile {
  readonly header: GgufHeader;
  /** As on the disk, without the folder. */
  readonly fileName: string;
}

/** The name of the first family's profile whose signs the file shows. */
export function matchFamily(families: readonly Family[], file: ModelFile): string | undefined {
  return families.find(({ match }) => match.some((signs) => shows(file, signs)))?.profile;
}

/** What the file says of its own treatment. */
export function layerOfFile({ template, contextSize }: GgufHeader): ProfileLayer {
  const marks = template === undefined ? undefined : findReasoningMarks(template);
  const hasSwitch = template?.includes("enable_thinking") === true;
  const isSmall = contextSize !== undefined && contextSize < defaultProfile.context.size;
  return {
    origin: { type: "model-file" },
    values: {
      ...(marks === undefined
        ? {}
        : { reasoning: { marks, ...(hasSwitch ? { switch: { variable: "enable_thinking" } } : {}) } }),
      ...(isSmall ? { context: { size: contextSize } } : {}),
    },
  };
}

function shows({ header, fileName }: ModelFile, { architecture, name, template }: FamilyMatch): boolean {
  if (architecture !== undefined && architecture !== header.architecture) return false;
  if (template !== undefined && header.template?.includes(template) !== true) return false;
  if (name === undefined) return true;
  const pattern = new RegExp(name);
  return [header.name, header.basename, fileName].some(
    (text) => text !== undefined && pattern.test(plainName(text)),
  );
}

/** Names are written with spaces, underscores and capitals as their makers please. */
function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/\.gguf$/, "")
    .replaceAll(/[\s_]+/g, "-");
}
