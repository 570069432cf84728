import { authorOf } from "../../access/operator.ts";
import { foldEmail } from "../../access/logins.ts";
import { can, reachOf } from "../../access/policy.ts";
import { withoutScopes } from "../../access/reach.ts";
import { fail } from "../../base/errors.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { reachesRow } from "../../jsonapi/sql/reach.ts";

interface PersonBefore {
  id: string;
  email: string | null;
  emailSetBy: string | null;
  hasLogin: boolean;
}

export const isSame = (one: string | null | undefined, other: string | null | undefined): boolean =>
  foldEmail(one ?? "") === foldEmail(other ?? "");

/**
 * 403 for another e-mail address of a person whose place the caller could take with it, because invitations and resets go to the
 * address. Roles that follow from a task count once the person has a log-in, so that the office can enter the addresses of new
 * leaders and teachers. Callers without `people:write` set the address only of people without a log-in, and without a role that
 * they could not grant.
 */
export async function assertMayChangeEmail(
  context: WriteContext,
  { email: before, hasLogin, id }: Omit<PersonBefore, "emailSetBy">,
  email: string | null,
): Promise<void> {
  if (isSame(before, email)) return;
  const { mayGrantRolesOf, outranks } = context.catalogue.published;
  const isAllowed = (await isOfficeAt(context, id))
    ? !(await outranks(context, id, hasLogin ? "all" : "stored"))
    : !hasLogin && (await mayGrantRolesOf(context, id));
  if (!isAllowed)
    throw fail("forbidden", "This person has a log-in or rights that the caller lacks.", {
      pointer: "/data/attributes/email",
    });
}

/**
 * Remembers the caller as the one who set the e-mail address. The same address again confirms it, unless the person outranks the
 * caller. An address that the person wrote, or whose setter is unknown, needs no confirmation. The version stays, because no reader
 * sees the change.
 */
export async function rememberSetter(
  context: WriteContext,
  { email: before, emailSetBy, id }: Omit<PersonBefore, "hasLogin">,
  email: string | null,
): Promise<void> {
  const { actor, catalogue, db } = context;
  if (isSame(before, email)) {
    const needsNone = emailSetBy === null || emailSetBy === id || emailSetBy === actor.personId;
    if (needsNone || (await catalogue.published.outranks(context, id))) return;
  }
  // The address of another person became one of the `other-emails`.
  await db`
    update people set email_set_by = ${authorOf(actor)}
    where account_id = ${actor.accountId} and id = ${id} and email = ${email}`;
}

/** Whether the caller holds `people:write` at the person, and not only because it is their own record. */
export async function isOfficeAt(context: WriteContext, id: string): Promise<boolean> {
  const { actor, catalogue } = context;
  const people = definitionOf(catalogue, "people");
  const reach = withoutScopes(reachOf(actor, can("people:write"), people.reach ?? {}), "self");
  const [isReached = false] = await reachesRow(context, people, id, [reach]);
  return isReached;
}
