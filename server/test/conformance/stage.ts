import { readFile } from "node:fs/promises";
import type { AppOptions } from "../../src/app/app.ts";
import { catalogueOf, describedCatalogue } from "../../src/catalogue.ts";
import { journalOf } from "../../src/contract/journal-sql.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import type { WholeCatalogue } from "../../src/jsonapi/definition/whole-catalogue.ts";
import type { Db } from "../../src/store/db.ts";
import { isChanged } from "../support/changed-types.ts";
import { freshDatabase } from "../support/database.ts";
import { sample } from "../support/sample.ts";
import { startService, type TestService } from "../support/service.ts";
import { webhookParts } from "../support/webhook-parts.ts";
import { prayersFeature } from "./prayer-requests/feature.ts";

/** A copy of the repository to which the example was added has it among its features. */
const isAdded = describedCatalogue.resources.has("prayer-requests");

/** Every type of the interface, and the feature that CONTRIBUTING.md adds. */
export const catalogue: WholeCatalogue = catalogueOf(
  webhookParts(),
  isAdded ? [] : [prayersFeature],
);

/** A third of the types by the seed, and those that changed. */
export const thirdOfTypes = (what: string): readonly Resource[] =>
  sample([...catalogue.resources.values()], {
    what,
    count: Math.ceil(catalogue.resources.size / 3),
    nameOf: ({ type }) => type,
    always: ({ type }) => isChanged(type),
  });

/** Adds the tables of that feature to a database. */
export async function addPrayerRequests(db: Db): Promise<void> {
  if (isAdded) return;
  const tables = new URL("prayer-requests/table.sql", import.meta.url);
  await db.query(await readFile(tables, "utf8"));
  for (const resource of prayersFeature.types as readonly Resource[])
    for (const statement of journalOf(resource)) await db.query(statement);
}

/** The service with that catalogue and its tables. */
export async function startStage(options: Partial<AppOptions> = {}): Promise<TestService> {
  const database = await freshDatabase(
    "it has the tables of a feature that the service does not have",
  );
  await addPrayerRequests(database.db);
  return startService({ sendsMail: true, database, ...options }, catalogue);
}
