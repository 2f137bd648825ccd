// Says that a place leads back to itself without any value between. Never leaves the compiler.
export class CycleError extends Error {
  readonly pointer: string;
  constructor(pointer: string) {
    super(`The place ${pointer} refers to itself without any value between.`);
    this.name = "CycleError";
    this.pointer = pointer;
  }
}
