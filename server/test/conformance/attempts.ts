import assert from "node:assert/strict";
import { newId } from "../../src/base/ids.ts";
import { computedListOf } from "../../src/jsonapi/definition/operations.ts";
import { isLinkable } from "../../src/jsonapi/definition/relationships.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import type { Db } from "../../src/store/db.ts";

/** Requests for every route that leads to a resource, derived from its definition. */

export const idOf = (rows: ReadonlyMap<string, string>, type: string): string => {
  const id = rows.get(type);
  assert.ok(id, `There is no row of ${type}.`);
  return id;
};

/** Everything the database holds of an account, and everything that belongs to none. */
export async function stateOf(db: Db, account: { id: string }): Promise<Record<string, string>> {
  const tables = await db<{ name: string; tenant: boolean }[]>`
    select c.relname as name, exists (select 1 from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped) as tenant
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;
  const sums = tables.map(({ name, tenant }) => {
    const column = tenant ? "account_id" : name === "accounts" ? "id" : undefined;
    return `
      select '${name}' as name,
        count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum
      from ${name} t ${column === undefined ? "" : `where ${column} = '${account.id}'`}`;
  });
  const rows = await db.query(sums.join(" union all "));
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum])) as Record<string, string>;
}

/** A change that would be seen: the first text that may be written and be anything. */
export function change(resource: Resource, id: string) {
  const texts = Object.entries(resource.attributes).filter(
    ([, { schema, storage }]) =>
      storage === "text" && !Object.hasOwn(schema, "enum") && !Object.hasOwn(schema, "examples"),
  );
  const [name] =
    texts.find(([, { mode }]) => mode === "required") ??
    (resource.operations.update ? texts.find(([, { mode }]) => mode === "optional") : undefined) ??
    [];
  return { data: { type: resource.type, id, attributes: name ? { [name]: "Stolen" } : {} } };
}

export interface Attempt {
  method: string;
  path: string;
  body?: unknown;
}

/** Every route that leads to one resource. */
export function* attemptsOn(
  resource: Resource,
  id: string,
  linked: (type: string) => string,
): Generator<Attempt> {
  const path = `/v1/${resource.type}/${id}`;
  if (resource.operations.read) yield { method: "GET", path };
  if (resource.operations.read)
    yield { method: "GET", path: `${path}?include=${Object.keys(resource.relationships).join()}` };
  if (resource.operations.update) yield { method: "PATCH", path, body: change(resource, id) };
  for (const [name, relationship] of Object.entries(
    computedListOf(resource) ? {} : resource.relationships,
  )) {
    const { kind, target } = relationship;
    yield { method: "GET", path: `${path}/${name}` };
    yield { method: "GET", path: `${path}/relationships/${name}` };
    if (!resource.operations.update || !isLinkable(relationship)) continue;
    const identifier = { type: target, id: linked(target) };
    const body = { data: kind === "to-one" ? identifier : [identifier] };
    const methods = kind === "to-one" ? ["PATCH"] : ["PATCH", "POST", "DELETE"];
    for (const method of methods) yield { method, path: `${path}/relationships/${name}`, body };
  }
  if (resource.operations.delete) yield { method: "DELETE", path };
}

/** All attempts. A write is repeated with each header of writes and with each way to link resources. */
export function* variantsOn(
  resource: Resource,
  id: string,
  ...linked: ((type: string) => string)[]
): Generator<[Attempt, headers: Record<string, string>]> {
  for (const [index, link] of linked.entries())
    for (const attempt of attemptsOn(resource, id, link))
      if (attempt.method !== "GET")
        for (const headers of [{}, { "Idempotency-Key": newId() }, { "If-Match": "*" }])
          yield [attempt, headers];
      else if (index === 0) yield [attempt, {}];
}

export const told = ({ method, path }: Attempt) => `${method} ${path}`;
