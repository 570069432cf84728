import { lockPeople } from "../../access/locks.ts";
import { fail, invalid, notAllowedHere } from "../../base/errors.ts";
import type { WriteContext } from "../definition/resource.ts";

/**
 * Locks the place of a request, such as its cell, and the person who joins. An approval adds the person to the place, so both
 * are locked before the request.
 */
export async function lockPlace(
  { actor, db, resource }: WriteContext,
  { id, personId }: { id: string; personId: string | null },
  column: string,
  lock: (placeId: string) => Promise<unknown>,
): Promise<void> {
  const { accountId } = actor;
  const [request] = await db<{ placeId: string; personId: string | null }[]>`
    select ${db(column)} as "placeId", person_id as "personId" from ${db(resource.table)}
    where account_id = ${accountId} and id = ${id}`;
  if (!request) return;
  await lock(request.placeId);
  const joining = personId ?? request.personId;
  await lockPeople(db, accountId, joining === null ? [] : [joining]);
}

interface Decision {
  attributes: { "decline-reason"?: string | null; "status"?: string };
  toOne: { person?: string | null };
}

/** Only the approval of a contact names a person, and only a declined request has a reason. */
export function assertDecision(
  before: { personId: string | null; status: string },
  { attributes, toOne: { person } }: Decision,
  approves: boolean,
): void {
  const at = { pointer: "/data/relationships/person/data" };
  if (person !== undefined && person !== before.personId) {
    if (before.personId !== null) throw fail("invalid-relationship", { rule: "read-only" }, at);
    if (!approves || person === null)
      throw fail(
        "invalid-relationship",
        notAllowedHere("Only an approval names the person of a contact."),
        at,
      );
  }
  const { status = before.status, "decline-reason": reason } = attributes;
  if (status !== "declined" && reason)
    throw invalid(
      "/data/attributes/decline-reason",
      notAllowedHere("Only a declined request has a reason."),
    );
}

interface Contact {
  "full-name": string;
  "email"?: string | null | undefined;
  "phone"?: string | null | undefined;
}

/** Adds the person whom an approved request describes. The contact of a pending request is never deleted. */
export async function addProspect(
  context: WriteContext,
  contact: Contact | null | undefined,
): Promise<string> {
  if (!contact) throw new Error("A pending request without a person has a contact.");
  const { email, "full-name": fullName, phone } = contact;
  return context.catalogue.published.createProspect(context, { fullName, email, phone });
}
