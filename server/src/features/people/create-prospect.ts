import {
  type ResourceInput,
  targetOf,
  type WriteContext,
} from "../../jsonapi/definition/resource.ts";
import { violates } from "../../jsonapi/sql/constraint.ts";
import { insertRow } from "../../jsonapi/sql/write.ts";
import { writeSearchText } from "./search-text.ts";

export interface NewProspect {
  fullName: string;
  /** E.164. */
  phone?: string | null | undefined;
  email?: string | null | undefined;
}

/**
 * Adds a person whom a report, a request or an enrollment names. Returns the id.
 *
 * An e-mail address of another person becomes one of the `other-emails`. An error would tell the caller who is in the
 * account.
 */
export async function createProspect(
  context: WriteContext,
  prospect: NewProspect,
): Promise<string> {
  const { email } = prospect;
  const add = (addresses: Record<string, unknown>) => addPerson(context, prospect, addresses);
  if (!email) return add({});
  try {
    return await context.db.savepoint(() => add({ email }));
  } catch (error) {
    if (!violates(error, "people_email_key")) throw error;
    return add({ "other-emails": [email] });
  }
}

async function addPerson(
  context: WriteContext,
  { fullName, phone }: NewProspect,
  addresses: Record<string, unknown>,
): Promise<string> {
  const input: ResourceInput = {
    attributes: new Map<string, unknown>([
      ["full-name", fullName],
      ["membership-status", "prospect"],
      ...(phone ? [["phones", [{ number: phone }]] as const] : []),
      ...Object.entries(addresses),
    ]),
    toOne: new Map(),
    toMany: new Map(),
  };
  const { id } = await insertRow(
    context,
    targetOf(context.catalogue, { target: "people" }),
    input,
    {
      membership_status_changed_at: "now()",
    },
  );
  await writeSearchText(context.db, context.actor.accountId, [id]);
  return id;
}
