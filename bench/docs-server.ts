// Writes the tables of request fields into docs/server.md, out of the rows that the tests show one by one.
import { readFileSync, writeFileSync } from "node:fs";
import { fieldTables } from "../test/server/fields/field-tables.ts";
import { writeFieldTables } from "../test/server/fields/write-tables.ts";

const page = new URL("../docs/server.md", import.meta.url);
writeFileSync(page, writeFieldTables(readFileSync(page, "utf8"), fieldTables));
