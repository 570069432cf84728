import { type AdministrativeStatus, isFullAdministrator, ranksAbove } from "../../access/actor.ts";
import { endPasswordTokens, revokeTokens, syncLogin } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import { capture } from "../../events/capture.ts";
import { violates } from "../../jsonapi/sql/constraint.ts";
import {
  assertMayChange,
  type ExtraColumns,
  snapshotter,
  type Updated,
  updateRow,
} from "../../jsonapi/sql/write.ts";
import { assertMayChangeEmail, isOfficeAt, isSame, rememberSetter } from "./change-email.ts";
import { type Dates, datesIn, assertPossibleDates } from "./dates.ts";
import type { PersonFields, PersonValues } from "./fields.ts";
import { assertAnotherFullAdministrator } from "./full-administrators.ts";
import type { UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { compareLater } from "./duplicates/find-duplicates.ts";
import { comparedAttributes } from "./duplicates/match-keys.ts";
import { searchedAttributes, writeSearchText } from "./search-text.ts";

interface StoredPerson {
  email: string | null;
  emailSetBy: string | null;
  hasLogin: boolean;
  is_active: boolean;
  administrative_status: AdministrativeStatus;
  membership_status: string;
  dates: Dates;
}

const OTHER_EMAILS_MAX = 5;

/** Attributes with effects beyond their own column. */
const consequential = ["email", "is-active", "administrative-status", "membership-status"] as const;

/** PATCH /v1/people/:id */
export async function updatePerson(
  context: WriteContext<PersonFields>,
  id: string,
  input: UpdateInput<PersonFields>,
): Promise<Updated> {
  const updated = await changePerson(context, id, input);
  if (searchedAttributes.some((name) => updated.changed.includes(name)))
    await writeSearchText(context.db, context.actor.accountId, [id]);
  if (comparedAttributes.some((name) => updated.changed.includes(name)))
    compareLater(context.db, context.actor.accountId, [id]);
  return updated;
}

async function changePerson(
  context: WriteContext<PersonFields>,
  id: string,
  input: UpdateInput<PersonFields>,
): Promise<Updated> {
  const { attributes } = input;
  const dates = datesIn(attributes);
  if (!dates && !consequential.some((name) => attributes[name] !== undefined))
    return updateRow(context, context.resource, id, input);

  await assertMayChange(context, context.resource, id);
  const { actor, db } = context;
  // Only a full administrator can remove this status. The guard below rejects other callers.
  const losesOwnRank =
    isFullAdministrator(actor) &&
    (attributes["is-active"] === false ||
      (attributes["administrative-status"] !== undefined &&
        attributes["administrative-status"] !== "full-administrator"));
  if (losesOwnRank) await assertAnotherFullAdministrator(db, actor.accountId, id);

  const [before] = await db<StoredPerson[]>`
    select email, email_set_by as "emailSetBy", has_login as "hasLogin", is_active, administrative_status, membership_status, jsonb_build_object('birthdate', birthdate,
      'deathdate', deathdate, 'wedding-date', wedding_date, 'member-since', member_since,
      'decision-date', decision_date, 'baptism-date', baptism_date, 'left-at', left_at) as dates
    from people where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (before) assertRank(context, before, attributes);
  if (before && attributes.email !== undefined)
    await assertMayChangeEmail(context, { id, ...before }, attributes.email);
  if (before && dates) assertPossibleDates(dates, before.dates);

  const activity =
    before && attributes["is-active"] !== undefined && before.is_active !== attributes["is-active"];
  const status =
    before &&
    attributes["membership-status"] !== undefined &&
    before.membership_status !== attributes["membership-status"];
  // The creator of a prospect can send the status that every prospect has.
  if (status && !(await isOfficeAt(context, id)))
    throw fail("forbidden", "Only the office changes the membership status.", {
      pointer: "/data/attributes/membership-status",
    });
  const updated = await updateWithEmail(context, id, input, {
    ...(activity && { deactivated_at: before.is_active ? "now()" : "null" }),
    ...(status && { membership_status_changed_at: "now()" }),
  });

  if (attributes.email !== undefined) {
    const person = { accountId: actor.accountId, personId: id };
    await syncLogin(db, person);
    if (before) await rememberSetter(context, { id, ...before }, attributes.email);
    const isNew = updated.changed.includes("email") && !isSame(before?.email, attributes.email);
    if (isNew && before?.hasLogin && before.email !== null && context.sendsMail)
      await context.catalogue.published.sendAddressLetters(db, person, before.email);
    // A link that was sent to the former address must not work.
    if (attributes.email !== before?.email) await endPasswordTokens(db, person);
  }
  if (activity) await captureActivity(context, updated, before.is_active);
  return updated;
}

/**
 * The office gets an error for the e-mail address of another person. For other callers the address becomes one of the
 * `other-emails`, as when they create a prospect. An error would tell them who is in the account.
 */
async function updateWithEmail(
  context: WriteContext<PersonFields>,
  id: string,
  input: UpdateInput<PersonFields>,
  extra: ExtraColumns,
): Promise<Updated> {
  const { email, ...others } = input.attributes;
  const update = (attributes: PersonValues) =>
    updateRow(context, context.resource, id, { ...input, attributes }, extra);
  if (typeof email !== "string" || (await isOfficeAt(context, id))) return update(input.attributes);
  try {
    return await context.db.savepoint(() => update(input.attributes));
  } catch (error) {
    if (!violates(error, "people_email_key")) throw error;
    const { actor, db } = context;
    const [person] = await db<{ emails: string[] }[]>`
      select other_emails as emails from people where account_id = ${actor.accountId} and id = ${id}`;
    const emails = [...new Set([...(person?.emails ?? []), email])].slice(0, OTHER_EMAILS_MAX);
    return update({ ...others, "other-emails": emails });
  }
}

/** A caller may not deactivate a person of higher rank. */
function assertRank({ actor }: WriteContext, before: StoredPerson, attributes: PersonValues): void {
  if (!ranksAbove(before.administrative_status, actor)) return;
  if (attributes["is-active"] !== undefined && attributes["is-active"] !== before.is_active)
    throw fail("forbidden", "Only an administrator of that rank changes their is-active.", {
      pointer: "/data/attributes/is-active",
    });
}

/** A separate event, for receivers that need only this one. */
async function captureActivity(
  context: WriteContext,
  { id, row }: Updated,
  wasActive: boolean,
): Promise<void> {
  const { actor, db, resource } = context;
  if (wasActive) await revokeTokens(db, { accountId: actor.accountId, personId: id });
  await capture(db, actor, {
    type: wasActive ? "person.deactivated" : "person.reactivated",
    subject: { type: "people", id },
    snapshot: await snapshotter(context, resource, row),
  });
}
