// A worker of the schema bench: judges the cases that it is sent, one at a time.
import { parentPort, workerData } from "node:worker_threads";
import { type JudgeOptions, judgeSchema } from "./judge-schema.ts";
import { readData } from "./read-data.ts";

const { path, objects } = workerData as { readonly path: string; readonly objects: JudgeOptions["objects"] };
const data = readData(path);

parentPort?.on("message", (index: number) => {
  const schemaCase = data.cases[index];
  if (schemaCase === undefined) throw new Error(`no case ${index} in ${path}`);
  parentPort?.postMessage(judgeSchema(schemaCase, { documents: data.documents, objects }));
});
parentPort?.postMessage("ready");
