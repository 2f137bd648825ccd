// A worker of the schema bench: judges the cases that it is sent, one at a time. It holds no others: a heap full of data sets
// would be searched by each garbage collection, and counted as the compiler's time.
import { parentPort, workerData } from "node:worker_threads";
import { type JudgeOptions, judgeSchema } from "./judge-schema.ts";
import type { SchemaCase } from "./read-data.ts";

const options = workerData as JudgeOptions;

parentPort?.on("message", (schemaCase: SchemaCase) => {
  parentPort?.postMessage(judgeSchema(schemaCase, options));
});
parentPort?.postMessage("ready");
