import { errorsMarkdown } from "../contract/error-pages.ts";
import { describedCatalogue } from "../catalogue.ts";
import { serviceDocument } from "../contract/service-document.ts";
import { statesDocument } from "../contract/states-document.ts";
import type { Queryable } from "../store/db.ts";
import { factsRecord } from "../store/facts.ts";
import { schemaSql } from "../store/schema.ts";

/**
 * The files that are made from the code and committed, so that a review shows what a change does to the interface and
 * to the database. By their paths in the repository; `npm run generate` writes them and tests hold them.
 */
export async function generated(migrated?: Queryable): Promise<Map<string, string>> {
  return new Map([
    ["server/openapi.json", `${printed(serviceDocument(describedCatalogue))}\n`],
    ["docs/errors.md", errorsMarkdown()],
    ["docs/states.md", statesDocument(describedCatalogue)],
    ["server/facts.json", await factsRecord()],
    ...(migrated ? ([["server/schema.sql", await schemaSql(migrated)]] as const) : []),
  ]);
}

/** JSON whose short lists stand on one line, as the formatter of this repository prints them. */
const printed = (document: unknown): string =>
  JSON.stringify(document, null, 1).replaceAll(SHORT_LIST, (list) => {
    const line = list.replaceAll(/(?<=\[)\s+|\s+(?=\])/g, "").replaceAll(/\n\s*/g, " ");
    return line.length <= 80 ? line : list;
  });

const SHORT_LIST = /\[\n\s*(?:"[^"\n]*"|\d+)(?:,\n\s*(?:"[^"\n]*"|\d+))*\n\s*\]/g;
