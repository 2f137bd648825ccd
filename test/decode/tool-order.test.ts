import { expect, test } from "vitest";
import { keepToolOrder } from "../../src/decode/tool-order.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";

const named = (...names: string[]) => names.map((name) => ({ name }));

test("the same tools keep the order in which the model was last shown them", () => {
  const model = createScriptedModel({ replies: [] });
  expect(keepToolOrder(model, named("a", "b", "c"))).toEqual(named("a", "b", "c"));
  expect(keepToolOrder(model, named("c", "a", "b"))).toEqual(named("a", "b", "c"));
  expect(keepToolOrder(model, [])).toEqual([]);
  expect(keepToolOrder(model, named("b", "c", "a"))).toEqual(named("a", "b", "c"));
});

test("other tools, and those of another model, come as they are given", () => {
  const model = createScriptedModel({ replies: [] });
  keepToolOrder(model, named("a", "b"));
  expect(keepToolOrder(model, named("b", "a", "c"))).toEqual(named("b", "a", "c"));
  expect(keepToolOrder(model, named("b", "a"))).toEqual(named("b", "a"));
  expect(keepToolOrder(createScriptedModel({ replies: [] }), named("a", "b"))).toEqual(named("a", "b"));
});
