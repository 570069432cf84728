import { fail, type Source } from "../../base/errors.ts";
import type { Resource, WriteContext } from "../../jsonapi/definition/resource.ts";
import { definitionOf, forType } from "../../jsonapi/definition/targets.ts";
import { likePattern } from "../../jsonapi/request/search-text.ts";
import { insertProspect } from "./create-prospect.ts";
import type { PersonFields, PersonValues } from "./fields.ts";
import { updatePerson } from "./update-person.ts";

/**
 * The values that a form proposes for a person, by attribute: those of people, `phone` for one more telephone number, and
 * `custom-properties.<field>`.
 */
export type Proposed = Readonly<Record<string, unknown>>;

const CUSTOM = "custom-properties.";

const PHONES_MAX = 10;

/** The document of a person with the proposed values. */
function valuesOf(proposed: Proposed, phones: NonNullable<PersonValues["phones"]>): PersonValues {
  const custom = Object.entries(proposed).flatMap(([name, value]) =>
    name.startsWith(CUSTOM) ? [[name.slice(CUSTOM.length), value] as const] : [],
  );
  const own = Object.entries(proposed).filter(
    ([name]) => name !== "phone" && !name.startsWith(CUSTOM),
  );
  const { phone } = proposed;
  // The answers were checked by the schemas of these attributes.
  const values: Record<string, unknown> = {
    ...Object.fromEntries(own),
    ...(typeof phone === "string" && { phones: [...phones, { number: phone }] }),
    ...(custom.length > 0 && { "custom-properties": Object.fromEntries(custom) }),
  };
  return values as PersonValues;
}

/** The full name that the values contain. */
function nameIn(proposed: Proposed): string | undefined {
  const text = (name: string) => {
    const value = proposed[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const parts = [text("first-name"), text("last-name")].filter((part) => part !== undefined);
  return (text("full-name") ?? (parts.join(" ") || text("preferred-name")))?.slice(0, 255);
}

/** Adds the prospect whom a form describes. Returns the id. */
export async function createProposed(
  context: WriteContext,
  proposed: Proposed,
  source: Source,
): Promise<string> {
  const fullName = nameIn(proposed);
  if (fullName === undefined)
    throw fail(
      "missing-attribute",
      { rule: "required", hint: "The answers contain no name. Link a person." },
      source,
    );
  const attributes = { ...valuesOf(proposed, []), "full-name": fullName };
  const { id } = await insertProspect(context, { attributes, toOne: {}, toMany: {} });
  return id;
}

/** Changes a person as a form proposes. The operation has checked the rights of the caller, and has locked the person. */
export async function acceptProposed(
  context: WriteContext,
  personId: string,
  proposed: Proposed,
): Promise<void> {
  if (Object.keys(proposed).length === 0) return;
  const { actor, catalogue, db } = context;
  const [person] = await db<{ phones: NonNullable<PersonValues["phones"]> }[]>`
    select phones from people where account_id = ${actor.accountId} and id = ${personId}`;
  const phones = person?.phones ?? [];
  if (proposed["phone"] !== undefined && phones.length >= PHONES_MAX)
    throw fail(
      "limit-reached",
      "The person has ten telephone numbers.",
      { pointer: "/data" },
      {
        limit: PHONES_MAX,
      },
    );
  const people = definitionOf(catalogue, "people") as unknown as Resource<PersonFields>;
  await updatePerson(forType(context, people), personId, {
    attributes: valuesOf(proposed, phones),
    toOne: {},
    toMany: {},
  });
}

/** The values that differ from those of the person, in the order of their names. */
export async function changesFor(
  { actor, db }: WriteContext,
  personId: string,
  proposed: Proposed,
): Promise<readonly string[]> {
  const [row] = await db<{ names: string[] | null }[]>`
    select array(select jsonb_object_keys(person_changes(${actor.accountId}, ${personId}, ${JSON.stringify(proposed)}::text::jsonb)))
      as names`;
  return [...(row?.names ?? [])].sort();
}

/**
 * The people whom a form may be about, the most likely first: those with one of its addresses or telephone numbers, and those with
 * its name and birthdate.
 */
export async function findLikePeople(
  { actor, db }: WriteContext,
  proposed: Proposed,
  limit: number,
): Promise<readonly string[]> {
  const { accountId } = actor;
  const text = (name: string) => {
    const value = proposed[name];
    return typeof value === "string" ? value : null;
  };
  const [email, phone, birthdate] = [text("email"), text("phone"), text("birthdate")];
  const name = nameIn(proposed) ?? null;
  const found = await db<{ id: string }[]>`
    with alike as (
      select person.id, is_same_name(person.full_name, ${name}) as is_same_name
      from people person
      where person.account_id = ${accountId} and person.id in (
          select person_id from person_search
          where account_id = ${accountId} and (words like fold(${email && likePattern(email)})
            or words like ${phone && likePattern(phone.replace("+", ""))}))
        and (lower(${email}) in (
            select lower(person.email)
            union all select lower(value) from jsonb_array_elements_text(person.other_emails) as value)
          or ${phone} in (select known ->> 'number' from jsonb_array_elements(person.phones) as known))
      union
      select person.id, true from people person
      where person.account_id = ${accountId} and person.birthdate = ${birthdate}::date
        and is_same_name(person.full_name, ${name})
    )
    select id from alike group by id order by bool_or(is_same_name) desc nulls last, id limit ${limit}`;
  return found.map(({ id }) => id);
}
