import { describe, expect, it } from "vitest";
import { takeTurnPlace } from "../../src/decode/turn-places.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";

const settle = () => new Promise(setImmediate);
const modelOf = (sequences?: number) =>
  createScriptedModel({ replies: [], info: sequences === undefined ? {} : { sequences } });

describe("places for turns", () => {
  it("are as many as the model has sequences, and given in the order of asking", async () => {
    const model = modelOf(2);
    const held: string[] = [];
    const asked = ["a", "b", "c", "d"].map((name) =>
      takeTurnPlace(model, undefined).then((leave) => {
        held.push(name);
        return leave;
      }),
    );
    await settle();
    expect(held).toEqual(["a", "b"]);
    const [a, b] = await Promise.all(asked.slice(0, 2));
    b?.();
    b?.();
    await settle();
    expect(held).toEqual(["a", "b", "c"]);
    a?.();
    await settle();
    expect(held).toEqual(["a", "b", "c", "d"]);
  });

  it("are not lost when somebody who waits is aborted", async () => {
    const model = modelOf(1);
    const leave = await takeTurnPlace(model, undefined);
    const controller = new AbortController();
    const waiting = takeTurnPlace(model, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    leave();
    await expect(takeTurnPlace(model, AbortSignal.abort())).rejects.toMatchObject({ code: "aborted" });
    expect(await takeTurnPlace(model, undefined)).toBeTypeOf("function");
  });

  it("have no end where the model says nothing, and each model has its own", async () => {
    const model = modelOf();
    await Promise.all(Array.from({ length: 50 }, () => takeTurnPlace(model, undefined)));
    await takeTurnPlace(modelOf(1), undefined);
    await takeTurnPlace(modelOf(1), undefined);
  });
});
