import { operator } from "../access/operator.ts";
import { CustomFieldsCache } from "../features/accounts/custom-fields-cache.ts";
import { describedCatalogue } from "../catalogue.ts";
import { notFound } from "../base/errors.ts";
import { capture, type NewEvent } from "../events/capture.ts";
import { findOne } from "../jsonapi/sql/read.ts";
import type { ReadContext, Resource } from "../jsonapi/definition/resource.ts";
import { definitionOf } from "../jsonapi/definition/targets.ts";
import { wholeShape } from "../jsonapi/request/shape.ts";
import { snapshotter } from "../jsonapi/sql/write.ts";
import type { Tx } from "../store/db.ts";
import { noFiles } from "../store/files/files.ts";

export interface Subject {
  accountId: string;
  type: "accounts" | "people";
  id: string;
}

/** Captures a change by the operator with the same snapshot as a change through the API. */
export async function captureChange(
  tx: Tx,
  { accountId, id, type }: Subject,
  change: Pick<NewEvent, "type" | "changedFields">,
): Promise<void> {
  const actor = operator(accountId);
  const catalogue = describedCatalogue;
  const context: ReadContext = {
    db: tx,
    catalogue,
    actor,
    // A snapshot has no links.
    publicUrl: "",
    files: noFiles,
    customFieldsOf: new CustomFieldsCache().read,
  };
  const resource: Resource = definitionOf(catalogue, type);
  const found = await findOne(context, resource, id, wholeShape);
  if (!found) throw notFound();
  const snapshot = await snapshotter(context, resource, found.row);
  await capture(tx, actor, { ...change, subject: { type, id }, snapshot });
}
