// What the model is told of arguments that its tool does not take: in the tool's own words where it has some.
import { sayWhatIsWrong } from "../decode/say-what-is-wrong.ts";
import type { Tool } from "../tools/index.ts";
import type { Call, CallFault } from "../vocabulary/index.ts";

export function describeFaults(tool: Tool, call: Call, faults: readonly CallFault[]): string {
  return tool.describeFaults?.(faults) ?? sayWhatIsWrong({ name: call.name, faults }, [tool]);
}
