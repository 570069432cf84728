import { serviceDocument } from "../contract/openapi-extras.ts";
import { errorsMarkdown } from "../contract/error-pages.ts";
import type { Queryable } from "../store/db.ts";
import { schemaSql } from "../store/schema.ts";
import { statesDocument } from "../webhooks/index.ts";

/**
 * The files that are made from the code and committed, so that a review shows what a change does to the interface and
 * to the database. By their paths in the repository; `npm run generate` writes them and tests hold them.
 */
export async function generated(migrated?: Queryable): Promise<Map<string, string>> {
  return new Map([
    ["server/openapi.json", `${JSON.stringify(serviceDocument(), null, 1)}\n`],
    ["docs/errors.md", errorsMarkdown()],
    ["docs/states.md", statesDocument()],
    ...(migrated ? ([["server/schema.sql", await schemaSql(migrated)]] as const) : []),
  ]);
}
