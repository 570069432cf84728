import { fail } from "../../../base/errors.ts";
import { isId } from "../../../base/ids.ts";
import { capture } from "../../../events/capture.ts";
import { forgetAnswersAbout } from "../../../jsonapi/request/idempotency.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import { columnOf } from "../../../jsonapi/definition/members.ts";
import type { Resource, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { discardFiles } from "../../../jsonapi/sql/files.ts";
import { insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { languageOf } from "../../../mail/languages.ts";
import { raw } from "../../../store/sql.ts";
import { forgetPerson, lockForgotten } from "../forget-person.ts";
import { assertAnotherFullAdministrator } from "../full-administrators.ts";
import { anonymous } from "./anonymous.ts";
import type { AnonymizationFields } from "./fields.ts";
import { removeRowsOf } from "./remove-rows.ts";

const POINTER = "/data/relationships/person/data";

/**
 * POST /v1/person-anonymizations. The person stays as a record without identity. Everything that a deletion removes is removed, but
 * for the rows that features keep.
 */
export async function createAnonymization(
  context: WriteContext<AnonymizationFields>,
  input: CreateInput<AnonymizationFields>,
): Promise<Written> {
  const { actor, catalogue, confirmation, db, resource } = context;
  const { accountId } = actor;
  const id = input.toOne.person;
  const source = { pointer: POINTER };
  if (id === actor.personId)
    throw fail("deleting-oneself", "You cannot anonymize yourself.", source);
  const forgotten = isId(id) ? await lockForgotten(context, id) : undefined;
  // For every document that names the person, an anonymized person is absent. A second anonymization is such a document.
  if (!forgotten || forgotten.isAnonymized)
    throw fail("invalid-relationship", { rule: "not-found" }, source);
  if (await catalogue.published.outranks(context, id))
    throw fail("forbidden", "This person holds rights that the caller does not hold.", source);
  await assertAnotherFullAdministrator(db, accountId, id);
  await confirmation.now(db);

  await forgetPerson(context, forgotten, "anonymized");
  await removeRowsOf(context, id);
  const written = await insertRow(context, resource, input);
  // This comes last. The journal then empties every value that the rows before it left.
  await emptyPerson(context, definitionOf(catalogue, "people"), id);
  if (forgotten.photoId) await discardFiles(db, accountId, [forgotten.photoId]);
  await capture(db, actor, {
    type: "person.anonymized",
    subject: { type: "people", id },
    snapshot: () => JSON.stringify({ type: "people", id }),
  });
  await forgotten.passSeats();
  for (const each of forgotten.ids) await forgetAnswersAbout(db, accountId, each);
  return written;
}

/** The attributes that do not take their default values. */
const apart = new Set([
  "created-at",
  "modified-at",
  "full-name",
  "is-active",
  "deactivated-at",
  "is-anonymized",
]);

/** Every stored attribute, also one that is added later, takes its default value. */
async function emptyPerson(
  { actor, db }: WriteContext,
  { attributes }: Resource,
  id: string,
): Promise<void> {
  const { accountId } = actor;
  const columns = Object.entries(attributes).flatMap(([name, attribute]) =>
    apart.has(name) || (attribute.expression !== undefined && attribute.mode === "read-only")
      ? []
      : columnOf(name, attribute),
  );
  const emptied = raw([...new Set(columns)].map((column) => `"${column}" = default`).join(", "));
  const [account] = await db<{ lang: string | null }[]>`
    select lang from account_facts where account_id = ${accountId}`;
  await db`
    update people set ${emptied}, photo_id = null, email_set_by = null, full_name = ${anonymous[languageOf(account?.lang)]},
      is_active = false, deactivated_at = now(), is_anonymized = true, ${revisedBy(actor)}
    where account_id = ${accountId} and id = ${id}`;
}
