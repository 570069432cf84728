import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue } from "../../../src/catalogue.ts";
import type { Resource } from "../../../src/jsonapi/definition/resource.ts";
import { sortsOf } from "../../../src/jsonapi/request/sorts.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makePerson } from "../../support/make.ts";
import { codes, ids, many, startService } from "../../support/service.ts";

/** Callers with a reduced view, who try to learn from the order of a list what the view hides. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

/** By the order of their ids, the rows have all other values in reverse. */
const cells: string[] = [];
for (const year of [2022, 2021, 2020])
  cells.push(
    await makeCell(db, account.id, {
      is_public: true,
      name: `Cell ${year}`,
      created_at: `${year}-06-01`,
      modified_at: `${year}-06-01`,
    }),
  );
const ownCell = await makeCell(db, account.id, { name: "Own" });
const leader = await makeMember(db, account.id, ownCell, { cell_role: "leader" });
const people = [leader.id];
for (const year of [1992, 1991, 1990]) {
  const { id } = await makeMember(db, account.id, ownCell);
  await db`update people set birthdate = ${`${year}-06-01`}::date where id = ${id}`;
  people.push(id);
}
const member = await makePerson(db, account.id);

const callers = {
  cells: { as: member.token, rows: cells },
  people: { as: leader.token, rows: people },
};

const hiddenSorts = (resource: Resource) =>
  Object.entries(sortsOf(resource)).filter(
    ([name]) => name !== "id" && !resource.reduced?.members.includes(name),
  );

const reducedTypes = [...describedCatalogue.resources.values()].filter(
  (resource) => resource.reduced && hiddenSorts(resource).length > 0,
);

test("each type whose reduced view hides a sort has a caller here", () => {
  assert.deepEqual(reducedTypes.map(({ type }) => type).sort(), Object.keys(callers).sort());
});

const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

for (const resource of reducedTypes) {
  const { as, rows } = callers[resource.type as keyof typeof callers];
  const list = (query: string) => service.get(`/v1/${resource.type}?${query}`, { as });
  const idsOnly = `filter[id]=${rows.join()}`;

  for (const [name, { nullable }] of hiddenSorts(resource))
    for (const sort of [name, `-${name}`]) {
      const expected = sort === name ? rows : rows.toReversed();
      test(`200 · ${resource.type}: sort=${sort} orders rows in the reduced view as if none had a value`, async () => {
        const answer = await list(`${idsOnly}&sort=${sort}`);
        assert.deepEqual(ids(answer), expected, answer.text);
        assert.ok(many(answer).some(({ attributes }) => !Object.hasOwn(attributes, name)));
      });

      if (nullable) continue;
      test(`200 · ${resource.type}: cursors of sort=${sort} carry no value, and made-up ones find none`, async () => {
        const walked: string[] = [];
        for (
          let next: string | null = `${idsOnly}&sort=${sort}&page[size]=1&page[after]=`;
          next !== null;
        ) {
          const answer = await list(next);
          assert.equal(answer.status, 200, answer.text);
          walked.push(...ids(answer));
          const link: string | null = answer.document.links?.["next"] ?? null;
          next = link && new URL(link).search.slice(1);
          const cursor = link && new URL(link).searchParams.get("page[after]");
          const last = ids(answer).at(-1);
          if (cursor !== null) assert.equal(cursor, cursorOf(sort, null, last));
        }
        assert.deepEqual(walked, expected);

        const found = new Set<string>();
        for (const year of [2000, 2020, 2021, 2022, 2030]) {
          const cursor = cursorOf(sort, `${year}-06-01 00:00:00+00`, rows[1]);
          found.add(
            (await list(`${idsOnly}&sort=${sort}&page[after]=${cursor}`)).text.replaceAll(
              cursor,
              "",
            ),
          );
        }
        assert.equal(found.size, 1, [...found].join("\n"));
      });
    }
}

test("400 · a caller who sees the whole account has no cursor without a value", async () => {
  const cursor = cursorOf("modified-at", null, cells[0]);
  const answer = await service.get(`/v1/cells?sort=modified-at&page[after]=${cursor}`);
  assert.deepEqual([answer.status, codes(answer)], [400, ["invalid-parameter"]]);
});
