// The whole texts of results that a model was shown only a part of: one file each, there in full or not at all.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { isAbsence } from "../vocabulary/index.ts";

export interface OutputFiles {
  write(session: string, handle: string, text: string): void;
  /** Undefined where there is no such file. */
  read(session: string, handle: string): string | undefined;
  removeAll(session: string): void;
}

export function createOutputFiles(folder: string, observe: (step: string) => void): OutputFiles {
  const fileOf = (session: string, handle: string) => path.join(folder, session, `${handle}.txt`);
  return {
    write: (session, handle, text) => {
      const file = fileOf(session, handle);
      mkdirSync(path.dirname(file), { recursive: true });
      observe("before output file");
      const half = `${file}.part`;
      const descriptor = openSync(half, "w");
      try {
        const bytes = Buffer.from(text);
        const middle = Math.floor(bytes.length / 2);
        writeSync(descriptor, bytes, 0, middle);
        observe("within output file");
        writeSync(descriptor, bytes, middle);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(half, file);
      observe("after output file");
    },
    read: (session, handle) => {
      try {
        return readFileSync(fileOf(session, handle), "utf8");
      } catch (error) {
        if (isAbsence(error)) return undefined;
        throw error;
      }
    },
    removeAll: (session) => rmSync(path.join(folder, session), { recursive: true, force: true }),
  };
}
