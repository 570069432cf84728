import { errorsMarkdown } from "../contract/error-pages.ts";
import { describedCatalogue } from "../catalogue.ts";
import { journalSql } from "../contract/journal-sql.ts";
import { listing } from "../contract/listing.ts";
import { sdkTypes } from "../contract/sdk-types.ts";
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
  const document = serviceDocument(describedCatalogue);
  const [, journal] = triggersFile();
  return new Map([
    ["server/interface.txt", listing(document)],
    ["sdk/src/types.ts", sdkTypes(describedCatalogue, document)],
    ["docs/errors.md", errorsMarkdown()],
    ["docs/states.md", statesDocument(describedCatalogue)],
    triggersFile(),
    ["server/facts.json", await factsRecord(journal)],
    ...(migrated ? ([["server/schema.sql", await schemaSql(migrated)]] as const) : []),
  ]);
}

/** The triggers of the journal. */
export const triggersFile = (): [path: string, text: string] => [
  "server/journal.sql",
  journalSql(describedCatalogue),
];

/** The OpenAPI document for generators of clients, the same that the service serves. Git ignores it. */
export const openApiFile = (): [path: string, text: string] => [
  "server/openapi.json",
  `${JSON.stringify(serviceDocument(describedCatalogue), null, 1)}\n`,
];
