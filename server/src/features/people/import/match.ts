import { type Problem, problem } from "../../../base/errors.ts";
import type {
  ImportedValues,
  ImportOptions,
  ImportRow,
} from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { json } from "../../../store/sql.ts";

/** A value that identifies a person, in one row. */
interface Key {
  row: number;
  value: string;
  /** The system of an external id, or the name beside a birthdate. */
  beside: string;
}

interface Matched {
  row: number;
  id: string;
}

type Find = (context: WriteContext, keys: string) => Promise<readonly Matched[]>;

/** Each statement reads the keys of a batch as JSON. */
const finders: Readonly<Record<string, Find>> = {
  "email": ({ actor, db }, keys) => db<Matched[]>`
    select key.row, people.id from jsonb_to_recordset(${keys}::text::jsonb) as key (row int, value text)
    join people on people.account_id = ${actor.accountId} and lower(people.email) = lower(key.value)`,
  // One pass over the people of the account. An index on telephone numbers would cost every change of a person.
  "phone": ({ actor, db }, keys) => db<Matched[]>`
    select distinct key.row, people.id from people cross join jsonb_array_elements(people.phones) as phone
    join jsonb_to_recordset(${keys}::text::jsonb) as key (row int, value text) on key.value = phone ->> 'number'
    where people.account_id = ${actor.accountId} and people.phones <> '[]'`,
  "external-id": ({ actor, db }, keys) => db<Matched[]>`
    select distinct key.row, people.id from people cross join jsonb_each_text(people.external_ids) as known (system, value)
    join jsonb_to_recordset(${keys}::text::jsonb) as key (row int, value text, beside text)
      on key.value = known.value and key.beside = known.system
    where people.account_id = ${actor.accountId} and people.external_ids <> '{}'`,
  "name-birthdate": ({ actor, db }, keys) => db<Matched[]>`
    select key.row, people.id
    from jsonb_to_recordset(${keys}::text::jsonb) as key (row int, value text, beside text)
    join people on people.account_id = ${actor.accountId} and people.name_folded = fold(key.beside)
      and people.birthdate::text = key.value`,
};

/** The values by which a row names a person. */
export function keysOf(name: string, values: ImportedValues): Omit<Key, "row">[] {
  const { "external-ids": externalIds, phones } = values;
  switch (name) {
    case "phone":
      return (Array.isArray(phones) ? phones : []).flatMap(({ number }: { number: unknown }) =>
        typeof number === "string" ? [{ value: number, beside: "" }] : [],
      );
    case "external-id":
      return Object.entries(externalIds ?? {}).map(([beside, value]) => ({
        value: String(value),
        beside,
      }));
    case "name-birthdate":
      return pair(values["birthdate"], values["full-name"]);
    default:
      return pair(values[name], "");
  }
}

const pair = (value: unknown, beside: unknown) =>
  typeof value === "string" && typeof beside === "string" ? [{ value, beside }] : [];

/** The ids of the people whom each row matches. */
export async function matchPeople(
  context: WriteContext,
  rows: readonly ImportRow[],
  name: string,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const keys = rows.flatMap(({ row, values }) =>
    keysOf(name, values).map((key) => ({ row, ...key })),
  );
  const found = keys.length > 0 ? ((await finders[name]?.(context, json(keys))) ?? []) : [];
  const byRow = Map.groupBy(found, ({ row }) => row);
  return new Map([...byRow].map(([row, all]) => [row, all.map(({ id }) => id)]));
}

/** The attributes to which the problems of a match lead. */
export const pointers: Readonly<Record<string, string>> = {
  "email": "/data/attributes/email",
  "phone": "/data/attributes/phones",
  "external-id": "/data/attributes/external-ids",
  "name-birthdate": "/data/attributes/full-name",
};

export const ambiguous = (count: number, [first = ""]: readonly string[]): Problem =>
  problem("conflict", `${count} people match this row. Merge them, or change the row.`, {
    pointer: pointers[first] ?? "",
  });

/** Finds the person of each row, or says why there is none. Importers of other features use it. */
export async function findPeople(
  context: WriteContext,
  rows: readonly ImportRow[],
  { matchOn }: Pick<ImportOptions, "matchOn">,
): Promise<ReadonlyMap<number, { id: string | null; problems: readonly Problem[] }>> {
  const found = new Map(rows.map(({ row }) => [row, new Set<string>()]));
  for (const name of matchOn)
    for (const [row, ids] of await matchPeople(context, rows, name))
      for (const id of ids) found.get(row)?.add(id);
  const absent = problem("not-found", "No person matches this row.", {
    pointer: pointers[matchOn[0] ?? ""] ?? "",
  });
  return new Map(
    [...found].map(([row, ids]) => {
      const [id = null] = ids;
      if (ids.size === 1) return [row, { id, problems: [] }];
      const problems = [ids.size === 0 ? absent : ambiguous(ids.size, matchOn)];
      return [row, { id, problems }];
    }),
  );
}
