import { ApiError, type Problem, problem } from "../../base/errors.ts";
import type { ResourceInput } from "../definition/input.ts";
import type { WriteContext } from "../definition/resource.ts";

/**
 * Checks the values of custom fields inside the transaction: each field still has the type by which its value was
 * validated, and each person exists. It runs before any row is locked, which keeps the lock order free of deadlocks with
 * changes of the fields and deletions of people.
 */
export async function assertCustomValues(
  context: WriteContext,
  { attributes, customFields }: ResourceInput,
): Promise<void> {
  const values = Object.entries(attributes["custom-properties"] ?? {});
  const given = values.filter(([, value]) => value !== null);
  if (!customFields || given.length === 0) return;

  const { fields } = await context.lockCustomFields(context.db, context.actor, context.resource);
  const changed = given.filter(
    ([name]) => fields.get(name)?.type !== customFields.fields.get(name)?.type,
  );
  refuse(changed, (at) => problem("conflict", "The type of this field has changed.", at));

  const people = given.filter(([name]) => fields.get(name)?.type === "person");
  if (people.length === 0) return;
  const rows = await context.db<{ id: string }[]>`
    select person_id as id from person_facts where account_id = ${context.actor.accountId}
    and person_id = any(${people.map(([, id]) => String(id))}::uuid[])`;
  const known = new Set<unknown>(rows.map((row) => row.id));
  const missing = people.filter(([, id]) => !known.has(id));
  refuse(missing, (at) => problem("invalid-attribute", { rule: "not-found" }, at));
}

function refuse(
  values: readonly [name: string, unknown][],
  problemAt: (source: { pointer: string }) => Problem,
): void {
  if (values.length === 0) return;
  throw new ApiError(
    values.map(([name]) => problemAt({ pointer: `/data/attributes/custom-properties/${name}` })),
  );
}
