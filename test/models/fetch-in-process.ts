// Fetches one model as a process of its own, for tests: the model and options as JSON in the first argument.
import { fetchModel } from "../../src/models/fetch-model.ts";

const { model, options } = JSON.parse(process.argv[2] ?? "");
const onNotice = (text: string) => console.error(text);
console.log(await fetchModel(model, { ...options, onNotice }));
