// Indexes the names that a place of a schema gives itself: anchors, fragments as identifiers, dynamic anchors.
import type { JsonObject } from "../../vocabulary/index.ts";
import type { SchemaDocument, SchemaResource } from "./schema-document.ts";

/** Adds the place's names to its resource. `raw` is the place as given, `cleaned` as read. */
export function indexAnchors(
  within: { readonly document: SchemaDocument; readonly resource: SchemaResource },
  place: { raw: JsonObject; cleaned: JsonObject; pointer: string },
): void {
  const { document, resource } = within;
  const { raw, cleaned } = place;
  const { draft, isStated } = resource.dialect;
  const id = raw.$id ?? raw.id;
  if (typeof id === "string" && id.startsWith("#") && (draft <= 7 || !isStated)) {
    resource.anchors.set(id.slice(1), cleaned);
  }
  if (!isStated && typeof raw.id === "string") document.aliases.set(raw.id, cleaned);
  const anchor = raw.$anchor;
  if (typeof anchor === "string" && draft >= 2019) resource.anchors.set(anchor, cleaned);
  const dynamic = raw.$dynamicAnchor;
  if (typeof dynamic === "string" && draft >= 2020) {
    resource.anchors.set(dynamic, cleaned);
    resource.dynamicAnchors.set(dynamic, cleaned);
    document.hasDynamicAnchors = true;
  }
  if (raw.$recursiveAnchor === true && place.pointer === resource.pointer && (draft === 2019 || !isStated)) {
    resource.isRecursiveAnchor = true;
    document.hasDynamicAnchors = true;
  }
}
