// Module hooks that take the types out of our own .ts files as they are loaded; types are checked elsewhere.
// Packages are left alone.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";

/** @type {import("node:module").LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.startsWith("file:") || url.includes("/node_modules/") || !url.endsWith(".ts")) {
    return nextLoad(url, context);
  }
  const path = fileURLToPath(url);
  const { code, map } = await transformWithOxc(await readFile(path, "utf8"), path, { sourcemap: true });
  const inlineMap = Buffer.from(JSON.stringify(map)).toString("base64");
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inlineMap}`;
  return { format: "module", source, shortCircuit: true };
}
