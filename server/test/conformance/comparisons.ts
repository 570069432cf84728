import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import { type Filter, takesIds } from "../../src/jsonapi/definition/filters.ts";
import { columnOf } from "../../src/jsonapi/definition/members.ts";
import { targetTypes } from "../../src/jsonapi/definition/relationships.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { filtersOf } from "../../src/jsonapi/request/list-filters.ts";
import { sortsOf } from "../../src/jsonapi/request/sorts.ts";
import { assignments } from "../../src/store/sql.ts";
import { makePerson, makeToken } from "../support/make.ts";
import { ids, many, type Resource as Document } from "../support/service.ts";
import type { Stage } from "./suite.ts";

/**
 * A filter or sort of a column that a member shows is compared with that member. Filters and sorts of SQL expressions and of
 * other tables have tests of their own.
 */

export function conformFilters({ rows, service }: Stage, resource: Resource): void {
  const id = rows.get(resource.type) ?? "";
  const read = async () => {
    const [row] = many(await service.get(`/v1/${resource.type}?filter[id]=${id}`));
    return row ?? assert.fail();
  };

  test(`200 · ${resource.type}: a filter of a shown member finds its value and no other`, async (t) => {
    const before = await read();
    for (const [name, filter] of Object.entries(filtersOf(resource))) {
      const value = sampleOf(filter);
      if (
        !("column" in filter) ||
        value === undefined ||
        shownAt(resource, before, filter, name) !== null
      )
        continue;
      const set = (to: Sample | null) => service.db`
        update ${service.db(resource.table)} set ${assignments({ [filter.column]: to })} where id = ${id}`;
      // The database rejects some values beside the others of the row. Such a member stays null.
      const isSet = await set(value).then(
        () => true,
        () => false,
      );
      if (isSet) t.after(() => set(null));
    }
    const row = await read();
    for (const [name, filter] of Object.entries(filtersOf(resource)))
      for (const compared of [
        ...valuesFor(filter, shownAt(resource, row, filter, name)),
        ...linkedIds(resource, row, filter),
      ]) {
        const own = name === "id" ? "" : `filter[id]=${id}&`;
        const query: string = `${own}filter[${name}]=${encodeURIComponent(compared.value)}`;
        const found = ids(await service.get(`/v1/${resource.type}?${query}`));
        assert.deepEqual(found, compared.isFound ? [id] : [], query);
      }
  });
}

export function conformOwnFilters({ rows, service }: Stage, resource: Resource): void {
  const { account, db } = service;
  const byIds = Object.entries(filtersOf(resource)).filter(([, filter]) => takesIds(filter));
  const list = (query: string, as: string) => service.get(`/v1/${resource.type}?${query}`, { as });

  test(`200 · ${resource.type}: in each filter by ids, \`me\` is the caller's person`, async (t) => {
    const person = rows.get("people") ?? "";
    const setStatus = (status: string) =>
      db`update people set administrative_status = ${status} where id = ${person}`;
    await setStatus("full-administrator");
    t.after(() => setStatus("none"));
    const token = await makeToken(db, account.id, person);
    for (const [name] of byIds) {
      const found = ids(await list(`filter[${name}]=${newId()},me`, token));
      assert.deepEqual(found, ids(await list(`filter[${name}]=${person}`, token)), name);
    }
  });

  const byPeople = byIds.filter(([name]) =>
    [name, `${name}s`].some((one) => {
      const relationship = resource.relationships[one];
      const targets = relationship ? targetTypes(relationship) : [];
      return name === "person" || targets.includes("people");
    }),
  );
  if (byPeople.length === 0) return;
  test(`200 · ${resource.type}: every caller may filter by their own person`, async () => {
    const { token } = await makePerson(db, account.id);
    const { status } = await list("", token);
    for (const [name] of byPeople)
      assert.equal((await list(`filter[${name}]=me`, token)).status, status, name);
  });
}

/** The tests that write leave several rows, so this one comes after them. */
export function conformSorts({ service }: Stage, resource: Resource): void {
  test(`200 · ${resource.type}: a sort of a shown member follows its values, with nulls last`, async () => {
    const list = async (query: string) => many(await service.get(`/v1/${resource.type}?${query}`));
    const all = await list("page[size]=100");
    const inAnyOrder = (rows: Document[]) => rows.map(({ id }) => id).sort();
    for (const [name, { column }] of Object.entries(sortsOf(resource)))
      for (const [sort, sign] of [[name, 1] as const, [`-${name}`, -1] as const]) {
        const listed = await list(`page[size]=100&sort=${sort}`);
        assert.equal(listed.length, all.length, sort);
        if (all.length < 100) assert.deepEqual(inAnyOrder(listed), inAnyOrder(all), sort);
        const values = listed.map((row) => shownAt(resource, row, { column }, name));
        const comparable = values.filter((value) => value != null);
        if (!comparable.every((value) => isOrdered(value))) continue;
        assert.deepEqual(values.slice(0, comparable.length), comparable, `${sort}: nulls last`);
        const sorted = comparable.toSorted((a, b) => (a < b ? -sign : a > b ? sign : 0));
        assert.deepEqual(comparable, sorted, sort);
      }
    assert.deepEqual(
      all.map((row) => row.id),
      (await list(`page[size]=100&sort=${resource.defaultSort}`)).map((row) => row.id),
      "the default sort",
    );
  });
}

type Sample = string | number | boolean;

/** A value for a member that is null. */
function sampleOf(filter: Filter): Sample | undefined {
  switch (filter.match) {
    case "one-of":
      return filter.inArray ? undefined : filter.values[0];
    case "boolean":
      // Other columns of the row are often true.
      return false;
    case "number":
    case "at-least":
    case "at-most":
      return filter.minimum;
    case "since":
    case "until":
    case "from":
    case "to":
      return "2026-03-01";
    default:
      return undefined;
  }
}

/** The value of a member that filters compare. */
type Shown = string | number | boolean | readonly string[] | null | undefined;

/**
 * The value of the member with the name of a filter or sort, or else of the member that is stored in the column. It is
 * undefined if there is neither.
 */
function shownAt(resource: Resource, row: Document, compared: object, named: string): Shown {
  if (!("column" in compared)) return undefined;
  if (compared.column === "id") return row.id;
  const own = resource.attributes[named];
  if (own && own.expression === undefined) return row.attributes[named] as Shown;
  for (const [name, attribute] of Object.entries(resource.attributes))
    if (columnOf(name, attribute) === compared.column && attribute.expression === undefined)
      return row.attributes[name] as Shown;
  for (const [name, relationship] of Object.entries(resource.relationships)) {
    const linked = row.relationships[name]?.data;
    if ("column" in relationship && relationship.column === compared.column)
      return (linked as { id: string } | null | undefined)?.id;
  }
  return undefined;
}

/** A filter of a joining table compares the ids that a relationship of the same table shows. */
function linkedIds(resource: Resource, row: Document, filter: Filter): Compared[] {
  if (filter.match !== "related") return [];
  const { from, table, to, where } = filter;
  const names = Object.entries(resource.relationships).flatMap(([name, one]) =>
    one.kind === "to-many" &&
    one.table === table &&
    one.from === from &&
    one.to === to &&
    one.where === where
      ? [name]
      : [],
  );
  const linked = names.flatMap((name) => (row.relationships[name]?.data ?? []) as { id: string }[]);
  if (names.length === 0) return [];
  return [
    ...linked.map(({ id }) => ({ value: id, isFound: true })),
    { value: newId(), isFound: false },
  ];
}

/** The order of texts is that of a language. Ids, times, dates and numbers have one order everywhere. */
const isOrdered = (value: Shown): value is string | number =>
  typeof value === "number" ||
  (typeof value === "string" && /^(\d{4}-)?\d\d-\d\d(T|$)|^[\da-f-]{36}$/.test(value));

interface Compared {
  readonly value: string;
  readonly isFound: boolean;
}

/** Values of a filter for a row whose member has this value. */
function* valuesFor(filter: Filter, shown: Shown): Generator<Compared> {
  if (shown === undefined || shown === null) return;
  const found = (value: NonNullable<Shown>): Compared => ({ value: String(value), isFound: true });
  const other = (value: NonNullable<Shown>): Compared => ({ value: String(value), isFound: false });
  switch (filter.match) {
    case "one-of": {
      const own: unknown[] = [shown].flat();
      for (const value of filter.values) yield own.includes(value) ? found(value) : other(value);
      const mine = filter.values.find((value) => own.includes(value));
      if (!filter.single && mine !== undefined) yield found(filter.values.slice(0, 1).concat(mine));
      return;
    }
    case "boolean":
      yield* [found(shown), other(!shown), found("true,false")];
      return;
    case "id":
      yield* [found(shown), found(`${newId()},${String(shown)}`), other(newId())];
      return;
    case "number":
      yield* [found(shown), other(shown === filter.maximum ? filter.minimum : Number(shown) + 1)];
      return;
    case "at-least":
      yield found(shown);
      if (shown !== filter.maximum) yield other(Number(shown) + 1);
      return;
    case "at-most":
      yield found(shown);
      if (shown !== filter.minimum) yield other(Number(shown) - 1);
      return;
    case "since":
    case "until": {
      const beside = filter.match === "since" ? 1 : -1;
      yield* [found(shown), other(new Date(Date.parse(String(shown)) + beside).toISOString())];
      return;
    }
    case "from":
    case "to": {
      const beside = filter.match === "from" ? DAY : -DAY;
      const day = new Date(Date.parse(String(shown)) + beside).toISOString().slice(0, 10);
      yield* [found(shown), other(day)];
      return;
    }
    case "contains":
    case "equals-text":
      yield* [found(String(shown).toUpperCase()), other(`${String(shown)}x`)];
      return;
    default:
  }
}
