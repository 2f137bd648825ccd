// Opens any source of a model file. The one place that knows all kinds.
import type { ModelSource } from "../model-entry.ts";
import { openHttp } from "./http-source.ts";
import { type HubAddress, openHubFile } from "./hub-source.ts";
import type { OpenedSource, OpenOptions } from "./opened-source.ts";
import { openPath } from "./path-source.ts";
import { openWheels } from "./wheels-source.ts";

/** Throws `SourceFault` where the source cannot be used, the signal's reason where it was aborted. */
export async function openSource(
  source: ModelSource,
  options: OpenOptions & { readonly hub: HubAddress },
): Promise<OpenedSource> {
  switch (source.type) {
    case "hub":
      return openHubFile(source, options);
    case "url":
      return openHttp({ url: source.url }, options);
    case "path":
      return openPath(source.path, options);
    case "python-wheels":
      return openWheels(source, options);
    default:
      return source satisfies never;
  }
}
