// Finds the user's folders: where models, state and the user's own catalogue live.
// The only file outside `cli/` that reads the environment. Creates nothing.
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export interface HomeFolderOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly userHome?: string;
}

/** `CALLWRIGHT_HOME`, else `callwright` in the platform's folder for caches. Always absolute. */
export function homeFolder(options: HomeFolderOptions = {}): string {
  const environment = options.environment ?? process.env;
  const chosen = environment.CALLWRIGHT_HOME;
  if (chosen !== undefined && chosen !== "") return resolve(chosen);
  return join(cacheFolder(options.platform ?? process.platform, environment, options.userHome), "callwright");
}

/** The user's own catalogue, laid over the shipped one. */
export function userCataloguePath(home: string): string {
  return join(home, "models.json");
}

/** Where model files live. */
export function modelsFolder(home: string): string {
  return join(home, "models");
}

/** Where states of prompt beginnings are kept. */
export function statesFolder(home: string): string {
  return join(home, "states");
}

/** Where sessions are kept. */
export function journalFolder(home: string): string {
  return join(home, "journal");
}

/** What a child process inherits, to be added to. */
export function inheritedEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

function cacheFolder(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  userHome = homedir(),
): string {
  if (platform === "win32") return environment.LOCALAPPDATA || join(userHome, "AppData", "Local");
  if (platform === "darwin") return join(userHome, "Library", "Caches");
  // The XDG base directory specification tells programs to ignore relative paths here.
  const xdg = environment.XDG_CACHE_HOME;
  return xdg?.startsWith("/") ? xdg : join(userHome, ".cache");
}
