import { ApiError, type Code, problem } from "../errors.ts";
import type { ResourceInput } from "./input.ts";
import type { WriteContext } from "./write.ts";

/**
 * What only the transaction can tell of the values of a church's own fields: that each field still has the type by which
 * its value was checked, and that whom it names is somebody of the church. It comes before any row is locked: whoever
 * writes values waits for whoever changes the fields or deletes a person, and none of them in a circle.
 */
export async function checkCustomValues(
  context: WriteContext,
  { attributes, customFields }: ResourceInput,
): Promise<void> {
  const values = Object.entries(attributes.get("custom-properties") ?? {});
  const given = values.filter(([, value]) => value !== null);
  if (!customFields || given.length === 0) return;

  const { fields } = await context.holdCustomFields(context.db, context.actor, context.of);
  const changed = given.filter(
    ([name]) => fields.get(name)?.type !== customFields.fields.get(name)?.type,
  );
  refuse(changed, "conflict", "This field is of another type now.");

  const people = given.filter(([name]) => fields.get(name)?.type === "person");
  if (people.length === 0) return;
  const rows = await context.db<{ id: string }[]>`
    select id from people where account_id = ${context.actor.accountId}
    and id = any(${people.map(([, id]) => String(id))}::uuid[])`;
  const known = new Set<unknown>(rows.map((row) => row.id));
  const nobody = people.filter(([, id]) => !known.has(id));
  refuse(nobody, "invalid-attribute", "There is no such person.");
}

function refuse(values: readonly [name: string, unknown][], code: Code, detail: string): void {
  if (values.length === 0) return;
  throw new ApiError(
    values.map(([name]) =>
      problem(code, detail, { pointer: `/data/attributes/custom-properties/${name}` }),
    ),
  );
}

/**
 * Takes a person who is deleted out of every field that names them. Whose record named them has changed, so that whoever
 * keeps a copy reads it again; there is no event of it, as there is none where an author is gone.
 */
export async function forgetPersonValues(context: WriteContext, personId: string): Promise<void> {
  const { actor, catalogue, db } = context;
  for (const of of catalogue.resources.values()) {
    if (!of.customProperties) continue;
    const { fields } = await context.holdCustomFields(db, actor, of);
    for (const [name, { type }] of fields)
      if (type === "person")
        // In the words of the index.
        await db`
          update ${db(of.table)} set custom_properties = custom_properties - ${name}::text,
            version = version + 1, modified_at = now(), modified_by = ${actor.personId}
          where account_id = ${actor.accountId} and custom_properties <> '{}'
            and custom_properties @> ${JSON.stringify({ [name]: personId })}::text::jsonb`;
  }
}
