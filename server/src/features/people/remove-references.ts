import { accountColumnOf, type WriteContext } from "../../jsonapi/definition/resource.ts";
import type { Relationship } from "../../jsonapi/definition/relationships.ts";
import { raw } from "../../store/sql.ts";

/**
 * Removes references to a deleted person from all records. Their versions increase, but there are no events, because
 * one write is one event (docs/decisions/0011).
 *
 * The person's own row stays unchanged and is deleted later, if its version still matches. Custom fields come before
 * links, because links may change the account's version, which the cache of custom fields uses.
 */
export async function removeReferences(context: WriteContext, personId: string): Promise<void> {
  await forgetValues(context, personId);
  await forgetLinks(context, personId);
}

/** Removes the person from custom fields, including archived ones. */
async function forgetValues(context: WriteContext, personId: string): Promise<void> {
  const { actor, catalogue, db } = context;
  for (const of of catalogue.resources.values()) {
    if (!of.customProperties) continue;
    const { fields } = await context.holdCustomFields(db, actor, of);
    for (const [name, { type }] of fields)
      if (type === "person")
        // The condition must match the index.
        await db`
          update ${db(of.table)} set custom_properties = custom_properties - ${name}::text,
            version = version + 1, modified_at = now(), modified_by = ${actor.personId}
          where account_id = ${actor.accountId} and id <> ${personId} and custom_properties <> '{}'
            and custom_properties @> ${JSON.stringify({ [name]: personId })}::text::jsonb`;
  }
}

/**
 * One statement for each type that is related to people. The foreign keys remove the links themselves with the person.
 * Authors keep the id, so that deleting a person does not search every table for what the person wrote.
 */
async function forgetLinks(context: WriteContext, personId: string): Promise<void> {
  const { actor, catalogue, db, of: people } = context;
  const { accountId } = actor;
  const leadsTo = (one: Relationship) => {
    if ("expression" in one) return db`or ${raw(one.expression)} = ${personId}`;
    if (one.kind === "to-one") return db`or ${db(one.column)} = ${personId}`;
    const constants = Object.entries(one.where ?? {}).map(
      ([column, value]) => db`and ${db(column)} = any(${[value].flat()}::text[])`,
    );
    return db`or id in (select ${db(one.from)} from ${db(one.table)}
      where ${[db`account_id = ${accountId} and ${db(one.to)} = ${personId}`, ...constants]})`;
  };
  for (const of of catalogue.resources.values()) {
    const named = Object.values(of.relationships).filter(
      (one) => one.target === people.type && !("dangling" in one),
    );
    if (named.length === 0) continue;
    await db`
      update ${db(of.table)} set version = version + 1, modified_at = now(), modified_by = ${actor.personId}
      where ${db(accountColumnOf(of))} = ${accountId} and id <> ${personId}
        and (false ${named.map(leadsTo)})`;
  }
}
