import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import type { Relationship } from "../../jsonapi/definition/relationships.ts";
import { json, raw } from "../../store/sql.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";
import { accountColumnOf } from "../../jsonapi/definition/members.ts";

/**
 * Removes references to a deleted person from all records. Their versions increase, but there are no events, because
 * one write is one event (docs/decisions/0011).
 *
 * The person's own row stays unchanged and is deleted later, if its version still matches. Custom fields come before
 * links, because links may change the account's version, which the cache of custom fields uses.
 */
export async function removeReferences(context: WriteContext, personId: string): Promise<void> {
  await replaceValues(context, [personId]);
  await touchRelated(context, [personId], () => true);
}

/**
 * Moves references in custom fields from removed people to the kept one. Manifests move the columns, and with them the
 * versions of their rows. The versions of resources that are related through other tables increase here.
 */
export async function moveReferences(
  context: WriteContext,
  { keptId, removedIds }: { keptId: string; removedIds: readonly string[] },
): Promise<void> {
  await replaceValues(context, removedIds, keptId);
  await touchRelated(context, removedIds, (one) => one.kind === "to-many" || "expression" in one);
}

/** Replaces the people in custom fields, including archived ones, or removes them. */
async function replaceValues(
  context: WriteContext,
  personIds: readonly string[],
  replacement?: string,
): Promise<void> {
  const { actor, catalogue, db } = context;
  for (const resource of catalogue.resources.values()) {
    if (!resource.customProperties) continue;
    const { fields } = await context.lockCustomFields(db, actor, resource);
    for (const [name, { type }] of fields) {
      if (type !== "person") continue;
      const values = replacement
        ? db`custom_properties || ${json({ [name]: replacement })}::text::jsonb`
        : db`custom_properties - ${name}::text`;
      // The condition must match the index.
      for (const id of personIds)
        await db`
          update ${db(resource.table)} set custom_properties = ${values},
            ${revisedBy(actor)}
          where account_id = ${actor.accountId} and id <> all(${[...personIds]}::uuid[]) and custom_properties <> '{}'
            and custom_properties @> ${json({ [name]: id })}::text::jsonb`;
    }
  }
}

/**
 * One statement for each type that is related to people. The foreign keys remove the links themselves with the person.
 * Authors keep the id, so that deleting a person does not search every table for what the person wrote.
 */
async function touchRelated(
  context: WriteContext,
  personIds: readonly string[],
  isMeant: (one: Relationship) => boolean,
): Promise<void> {
  const { actor, catalogue, db } = context;
  const { accountId } = actor;
  const theirs = db`any(${[...personIds]}::uuid[])`;
  const leadsTo = (one: Relationship) => {
    if ("expression" in one) return db`or ${raw(one.expression)} = ${theirs}`;
    if (one.kind === "to-one") return db`or ${db(one.column)} = ${theirs}`;
    const constants = Object.entries(one.where ?? {}).map(
      ([column, value]) => db`and ${db(column)} = any(${[value].flat()}::text[])`,
    );
    return db`or id in (select ${db(one.from)} from ${db(one.table)}
      where ${[db`account_id = ${accountId} and ${db(one.to)} = ${theirs}`, ...constants]})`;
  };
  for (const resource of catalogue.resources.values()) {
    const named = Object.values(resource.relationships).filter(
      (one) => one.target === "people" && !("dangling" in one) && isMeant(one),
    );
    if (named.length === 0) continue;
    await db`
      update ${db(resource.table)} set ${revisedBy(actor)}
      where ${db(accountColumnOf(resource))} = ${accountId} and id <> all(${[...personIds]}::uuid[])
        and (false ${named.map(leadsTo)})`;
  }
}
