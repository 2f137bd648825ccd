// Every format that a model can be driven in, by name.
import { CallwrightError } from "../vocabulary/index.ts";
import { chatApi } from "./chat-api.ts";
import { deepseekR1 } from "./deepseek-r1.ts";
import { fnGemma } from "./fn-gemma.ts";
import type { Format } from "./format.ts";
import { gemma3Text } from "./gemma3-text.ts";
import { gemma4 } from "./gemma4.ts";
import { glmXml } from "./glm-xml.ts";
import { granite3 } from "./granite3.ts";
import { hammer } from "./hammer.ts";
import { harmony } from "./harmony.ts";
import { hermesJson } from "./hermes-json.ts";
import { jsonFence } from "./json-fence.ts";
import { jsonList } from "./json-list.ts";
import { lfmPy } from "./lfm-py.ts";
import { llama3Json } from "./llama3-json.ts";
import { minicpmXml } from "./minicpm-xml.ts";
import { mistralArgs } from "./mistral-args.ts";
import { mistralList } from "./mistral-list.ts";
import { nemotron2 } from "./nemotron2.ts";
import { phi4 } from "./phi4.ts";
import { plainJson } from "./plain-json.ts";
import { qwenXml } from "./qwen-xml.ts";
import { smol2 } from "./smol2.ts";
import { smol3 } from "./smol3.ts";
import { smol3Code } from "./smol3-code.ts";

/** All of them. */
export const formats: readonly Format[] = [
  hermesJson,
  jsonFence,
  plainJson,
  llama3Json,
  mistralArgs,
  mistralList,
  granite3,
  phi4,
  jsonList,
  hammer,
  smol2,
  smol3,
  smol3Code,
  nemotron2,
  deepseekR1,
  harmony,
  qwenXml,
  minicpmXml,
  glmXml,
  lfmPy,
  gemma4,
  fnGemma,
  gemma3Text,
];

/** Forms that models of any family fall into. Those of one family are watched for where a profile names them. */
export const commonFormats: readonly Format[] = [hermesJson, jsonFence, plainJson];

/** The format of this name; that of chat servers is no way in which a model writes, and not among the others. Throws `CallwrightError` (`format-unknown`) with the names there are. */
export function findFormat(name: string): Format {
  const found = [...formats, chatApi].find((format) => format.name === name);
  if (found !== undefined) return found;
  const names = formats.map((format) => format.name).join(", ");
  throw new CallwrightError(
    "format-unknown",
    `There is no format "${name}"; use one of ${names}, or "auto".`,
  );
}
