import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type HomeFolderOptions, homeFolder } from "../../src/models/home-folder.ts";

describe("homeFolder", () => {
  it.each<[title: string, options: HomeFolderOptions, expected: string]>([
    ["CALLWRIGHT_HOME itself", { environment: { CALLWRIGHT_HOME: "/srv/cw" } }, resolve("/srv/cw")],
    ["CALLWRIGHT_HOME made absolute", { environment: { CALLWRIGHT_HOME: "cw" } }, resolve("cw")],
    ["the XDG cache on Linux", at("linux", { XDG_CACHE_HOME: "/c" }), join("/c", "callwright")],
    ["~/.cache on Linux", at("linux", {}), join("/home/ada", ".cache", "callwright")],
    [
      "~/.cache where XDG's is relative",
      at("linux", { XDG_CACHE_HOME: "c" }),
      join("/home/ada", ".cache", "callwright"),
    ],
    ["~/Library/Caches on macOS", at("darwin", {}), join("/home/ada", "Library", "Caches", "callwright")],
    ["LOCALAPPDATA on Windows", at("win32", { LOCALAPPDATA: "/local" }), join("/local", "callwright")],
    ["AppData/Local on Windows", at("win32", {}), join("/home/ada", "AppData", "Local", "callwright")],
    ["an empty CALLWRIGHT_HOME as none", at("darwin", { CALLWRIGHT_HOME: "" }), homeFolder(at("darwin", {}))],
  ])("reads %s", (_title, options, expected) => {
    expect(homeFolder(options)).toBe(expected);
  });
});

function at(platform: NodeJS.Platform, environment: Record<string, string>): HomeFolderOptions {
  return { platform, environment, userHome: "/home/ada" };
}
