import { readFile } from "node:fs/promises";
import { catalogueOf } from "../../src/catalogue.ts";
import type { Catalogue } from "../../src/jsonapi/definition/resource.ts";
import { startService, type TestService } from "../support/service.ts";
import { webhookParts } from "../support/webhook-parts.ts";
import { prayersFeature } from "./prayer-requests/feature.ts";

/** Every type of the interface, and the feature that CONTRIBUTING.md adds. */
export const catalogue: Catalogue = catalogueOf(webhookParts(), [prayersFeature]);

/** The service with that catalogue, and the table of the added type. */
export async function startStage(): Promise<TestService> {
  const service = await startService({}, catalogue);
  const table = new URL("prayer-requests/table.sql", import.meta.url);
  await service.db.query(await readFile(table, "utf8"));
  return service;
}
