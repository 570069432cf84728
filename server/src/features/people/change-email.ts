import { foldEmail } from "../../access/logins.ts";
import { can, reachOf } from "../../access/policy.ts";
import { withoutScopes } from "../../access/reach.ts";
import { fail } from "../../base/errors.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { reachesRow } from "../../jsonapi/sql/reach.ts";

/**
 * 403 for another e-mail address of a person whose place the caller could take with it, because invitations and resets go to the
 * address. Roles that follow from a task count once the person has a log-in, so that the office can enter the addresses of new
 * leaders and teachers. Callers without `people:write` set the address only of people without a log-in, and without a role that
 * they could not grant.
 */
export async function assertMayChangeEmail(
  context: WriteContext,
  { email: before, hasLogin, id }: { id: string; email: string | null; hasLogin: boolean },
  email: string | null,
): Promise<void> {
  if (foldEmail(before ?? "") === foldEmail(email ?? "")) return;
  const { mayGrantRolesOf, outranks } = context.catalogue.published;
  const isAllowed = (await isOfficeAt(context, id))
    ? !(await outranks(context, id, hasLogin ? "all" : "stored"))
    : !hasLogin && (await mayGrantRolesOf(context, id));
  if (!isAllowed)
    throw fail("forbidden", "This person has a log-in or rights that the caller lacks.", {
      pointer: "/data/attributes/email",
    });
}

/** Whether the caller holds `people:write` at the person, and not only because it is their own record. */
export async function isOfficeAt(context: WriteContext, id: string): Promise<boolean> {
  const { actor, catalogue } = context;
  const people = definitionOf(catalogue, "people");
  const reach = withoutScopes(reachOf(actor, can("people:write"), people.reach ?? {}), "self");
  const [isReached = false] = await reachesRow(context, people, id, [reach]);
  return isReached;
}
