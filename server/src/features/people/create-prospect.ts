import type { RowInput } from "../../jsonapi/definition/input.ts";
import type { PersonFields, PersonValues } from "./fields.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { violates } from "../../jsonapi/sql/constraint.ts";
import { insertRows } from "../../jsonapi/sql/write.ts";
import { compareLater } from "./duplicates/find-duplicates.ts";
import { writeSearchText } from "./search-text.ts";

export interface NewProspect {
  fullName: string;
  /** E.164. */
  phone?: string | null | undefined;
  email?: string | null | undefined;
}

/** Adds a person whom a report, a request or an enrollment names. Returns the id. */
export async function createProspect(
  context: WriteContext,
  { email, fullName, phone }: NewProspect,
): Promise<string> {
  const attributes = {
    "full-name": fullName,
    ...(phone && { phones: [{ number: phone }] }),
    ...(email && { email }),
  };
  const { id } = await insertProspect(context, {
    attributes,
    toOne: {},
    toMany: {},
  });
  return id;
}

/**
 * Inserts a prospect. An e-mail address of another person becomes one of the `other-emails`. An error would tell the caller
 * who is in the account.
 */
export async function insertProspect(
  context: WriteContext,
  input: RowInput<PersonFields>,
): Promise<Written> {
  const { email = null } = input.attributes;
  const add = (addresses: PersonValues) => {
    const attributes = {
      ...input.attributes,
      "membership-status": "prospect" as const,
      ...addresses,
    };
    return insertPerson(context, { ...input, attributes });
  };
  if (email === null) return add({});
  try {
    return await context.db.savepoint(() => add({}));
  } catch (error) {
    if (!violates(error, "people_email_key")) throw error;
    return add({ "email": null, "other-emails": [email] });
  }
}

/** Inserts a person with the columns and the search text that follow from the attributes. */
export async function insertPerson(
  context: WriteContext,
  input: RowInput<PersonFields>,
): Promise<Written> {
  const [id = ""] = await insertPeople(context, [input]);
  return { id };
}

/** Returns the ids in the order of the documents. */
export async function insertPeople(
  context: WriteContext,
  inputs: readonly RowInput<PersonFields>[],
): Promise<string[]> {
  const people = definitionOf(context.catalogue, "people");
  const rows = inputs.map((input) => ({
    input,
    extra: {
      ...(input.attributes["membership-status"] !== undefined && {
        membership_status_changed_at: "now()",
      }),
      ...(input.attributes["is-active"] === false && { deactivated_at: "now()" }),
    },
  }));
  const ids = await insertRows(context, people, rows);
  await writeSearchText(context.db, context.actor.accountId, ids);
  compareLater(context.db, context.actor.accountId, ids);
  return ids;
}
