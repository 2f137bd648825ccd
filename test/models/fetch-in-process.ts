// Fetches one model as a process of its own, for tests: the model and options as JSON in the first argument.
import { type FetchModelOptions, fetchModel } from "../../src/models/fetch-model.ts";
import type { FetchableModel } from "../../src/models/model-entry.ts";

const { model, options } = JSON.parse(process.argv[2] ?? "") as {
  readonly model: FetchableModel;
  readonly options: FetchModelOptions;
};
const onNotice = (text: string) => console.error(text);
console.log(await fetchModel(model, { ...options, onNotice }));
