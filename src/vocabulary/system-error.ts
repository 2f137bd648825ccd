// What the operating system says of a failed operation.

/** The system's code, such as `ENOENT`; undefined where the error is none of the system's. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether an operation failed since nothing stands at the path. */
export function isAbsence(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
