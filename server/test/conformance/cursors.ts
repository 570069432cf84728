import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "../../src/access/actor.ts";
import { ApiError } from "../../src/base/errors.ts";
import { newId } from "../../src/base/ids.ts";
import { accountColumnOf } from "../../src/jsonapi/definition/members.ts";
import { computedListOf } from "../../src/jsonapi/definition/operations.ts";
import { type Resource } from "../../src/jsonapi/definition/resource.ts";
import { parseListQuery } from "../../src/jsonapi/request/list-query.ts";
import type { RawQuery } from "../../src/jsonapi/request/query-reader.ts";
import { sortsOf } from "../../src/jsonapi/request/sorts.ts";
import { codes, ids, parameters } from "../support/service.ts";
import type { Stage } from "./suite.ts";

/** The texts that PostgreSQL makes of the values of a column, by its type, and texts that it makes of none. */
const texts: Readonly<Record<string, { values: readonly string[]; others: readonly string[] }>> = {
  "timestamp with time zone": {
    values: ["2024-02-29 00:00:00+00", "2024-02-29 12:34:56.789+00"],
    others: ["2024-02-30 00:00:00+00", "2024-02-29 00:00:00", "2024-02-29T00:00:00Z"],
  },
  "date": { values: ["2024-02-29"], others: ["2024-02-30", "20240229", "today", "infinity"] },
  "integer": { values: ["0", "-12", "12"], others: ["-0", "012", "1.5", "1e3", "9".repeat(20)] },
  "text": { values: [], others: ["\0"] },
  "uuid": { values: [], others: [] },
};

const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A cursor leads on from its row. One that no page of the list could have carried is rejected, whatever the sort. */
export function conformCursors({ catalogue, rows, service }: Stage, resource: Resource): void {
  if (computedListOf(resource)) return;
  const { db } = service;
  const list = (sort: string, cursor: string) =>
    service.get(`/v1/${resource.type}?sort=${sort}&page[after]=${encodeURIComponent(cursor)}`);
  const id = rows.get(resource.type) ?? "";
  const actor: Actor = {
    accountId: service.account.id,
    accountVersion: 1,
    personId: service.account.administrator.id,
    tokenId: newId(),
    administrativeStatus: "full-administrator",
    assignments: [],
  };
  const problemsOf = (query: RawQuery): unknown[] => {
    try {
      parseListQuery(catalogue, resource, query, { actor, customFields: undefined });
      return [];
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return error.problems.map(({ code, source }) => [code, source]);
    }
  };

  for (const [name, { column, nullable }] of Object.entries(sortsOf(resource))) {
    if (nullable) continue;
    test(`200 · 400 · ${resource.type}: a cursor of sort=${name} has the values of its column, and no others`, async () => {
      const [row] = await db<{ type: string; value: string }[]>`
        select pg_typeof(${db(column)})::text as type, ${db(column)}::text as value from ${db(resource.table)}
        where ${db(accountColumnOf(resource))} = ${service.account.id} and id = ${id}`;
      assert.ok(row && Object.hasOwn(texts, row.type), `${name} is a ${row?.type}`);
      const { others = [], values = [] } = texts[row.type] ?? {};
      const ofOtherTypes = Object.entries(texts).flatMap(([type, one]) =>
        type === row.type || row.type === "text" ? [] : one.values,
      );
      for (const order of [name, `-${name}`]) {
        const own = await list(order, encode([order, row.value, id]));
        assert.equal(own.status, 200, own.text);
        assert.ok(!ids(own).includes(id), "the list goes on behind the row");
      }
      for (const value of values) {
        const answer = await list(name, encode([name, value, newId()]));
        assert.equal(answer.status, 200, `${value} ${answer.text}`);
      }
      const right = encode([name, row.value, id]);
      const wrong = [
        ...[...others, ...ofOtherTypes, null, 5, {}].map((value) => encode([name, value, id])),
        encode([name, row.value]),
        encode([name, row.value, id, id]),
        encode([name, row.value, null]),
        encode([name, row.value, id.toUpperCase()]),
        encode([`-${name}`, row.value, id]),
        encode(["nonsense", row.value, id]),
        encode(null),
        // These encode the same array, but no page writes it so.
        `${right}==`,
        `!${right}`,
        right.slice(0, -3),
        "x",
      ];
      // The parser of lists judges a cursor. One of them is sent.
      for (const cursor of wrong)
        assert.deepEqual(
          problemsOf({ "sort": name, "page[after]": cursor }),
          [["invalid-parameter", { parameter: "page[after]" }]],
          Buffer.from(cursor, "base64url").toString(),
        );
      const [cursor = ""] = wrong;
      const answer = await list(name, cursor);
      assert.deepEqual(
        [answer.status, codes(answer), parameters(answer)],
        [400, ["invalid-parameter"], ["page[after]"]],
        answer.text,
      );
    });
  }
}

/** The tests that write leave several rows, so this one comes after them. */
export function conformCursorPages({ service }: Stage, resource: Resource): void {
  test(`200 · ${resource.type}: pages by cursor are the list, in every order that has cursors`, async () => {
    for (const [name, { nullable }] of Object.entries(sortsOf(resource)))
      for (const sort of nullable ? [] : [name, `-${name}`]) {
        // Only the ids matter, and some rows have the longest texts.
        const path = `/v1/${resource.type}?sort=${sort}&fields[${resource.type}]=`;
        const all = ids(await service.get(`${path}&page[size]=100`));
        const walked: string[] = [];
        const size = Math.ceil(all.length / 3);
        let next: string | null = `${path}&page[after]=&page[size]=${size}`;
        while (next !== null && walked.length < all.length) {
          const page = await service.get(next);
          assert.equal(page.status, 200, page.text);
          walked.push(...ids(page));
          next = page.document.links?.["next"] ?? null;
        }
        assert.deepEqual(walked.slice(0, all.length), all, sort);
      }
  });
}
