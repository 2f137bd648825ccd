// Thrown where a place needs more than the budget allows; whoever builds the place then relaxes and reports it.
export class OverBudget extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "OverBudget";
  }
}
