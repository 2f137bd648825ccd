import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchSettings, parseSourceKinds } from "../../src/cli/fetch-settings.ts";

describe("fetchSettings", () => {
  it("reads the environment", () => {
    const environment = {
      CALLWRIGHT_HOME: "/srv/cw",
      CALLWRIGHT_SOURCES: "wheels, url",
      HF_ENDPOINT: "https://mirror.example",
      HF_TOKEN: "t",
    };
    expect(fetchSettings(undefined, environment)).toEqual({
      home: resolve("/srv/cw"),
      kinds: ["wheels", "url"],
      hub: { url: "https://mirror.example", token: "t" },
    });
  });

  it("lets the command line go before the environment, and means all kinds where none is named", () => {
    expect(fetchSettings("hub", { CALLWRIGHT_SOURCES: "wheels" }).kinds).toEqual(["hub"]);
    const plain = fetchSettings(undefined, {});
    expect(plain.kinds).toBeUndefined();
    expect(plain.hub).toEqual({ url: "https://huggingface.co" });
  });
});

describe("parseSourceKinds", () => {
  it.each([
    ["python-wheels", ["wheels"]],
    ["HUB,path", ["hub", "path"]],
    [" , ", undefined],
    [undefined, undefined],
  ])("reads %j", (list, kinds) => expect(parseSourceKinds(list, "--source")).toEqual(kinds));

  it("refuses what is no kind of source, naming where it stood and what there is", () => {
    expect(() => parseSourceKinds("torrent", "--source")).toThrowError(
      expect.objectContaining({
        code: "request-invalid",
        message: '--source names "torrent"; a kind of source is hub, url, path, wheels.',
      }),
    );
  });
});
