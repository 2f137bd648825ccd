// The one importer of commander; everything else in `cli/` takes it from here.
export { Command, CommanderError, InvalidArgumentError, Option } from "commander";
