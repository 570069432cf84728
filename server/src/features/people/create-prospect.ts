import type { RowInput } from "../../jsonapi/definition/input.ts";
import type { PersonFields, PersonValues } from "./fields.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { violates } from "../../jsonapi/sql/constraint.ts";
import { AUTHOR, type ExtraColumns, insertLast, insertRows } from "../../jsonapi/sql/write.ts";
import { sendWithCommit } from "../../store/db.ts";
import { compareLater } from "./duplicates/find-duplicates.ts";
import { isComparable } from "./duplicates/match-keys.ts";
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
  const people = definitionOf(context.catalogue, "people");
  const written = await insertLast(context, people, input, followingFrom(input));
  writeFollowing(context, [written.id], [input]);
  return written;
}

/** Returns the ids in the order of the documents. */
export async function insertPeople(
  context: WriteContext,
  inputs: readonly RowInput<PersonFields>[],
): Promise<string[]> {
  const people = definitionOf(context.catalogue, "people");
  const rows = inputs.map((input) => ({ input, extra: followingFrom(input) }));
  const ids = await insertRows(context, people, rows);
  writeFollowing(context, ids, inputs);
  return ids;
}

const followingFrom = ({ attributes }: RowInput<PersonFields>): ExtraColumns => ({
  ...(attributes["membership-status"] !== undefined && { membership_status_changed_at: "now()" }),
  ...(attributes["is-active"] === false && { deactivated_at: "now()" }),
  ...(typeof attributes.email === "string" && { email_set_by: AUTHOR }),
});

function writeFollowing(
  { actor: { accountId }, db }: WriteContext,
  ids: readonly string[],
  inputs: readonly RowInput<PersonFields>[],
): void {
  sendWithCommit(db, writeSearchText(db, accountId, ids));
  const comparable = ids.filter((_, position) => isComparable(inputs[position]?.attributes ?? {}));
  if (comparable.length > 0) compareLater(db, accountId, comparable);
}
