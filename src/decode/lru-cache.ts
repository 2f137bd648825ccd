// The one importer of lru-cache; everything else in `decode/` takes it from here.
export { LRUCache } from "lru-cache";
