import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { computedListOf, policyOf } from "../../src/jsonapi/definition/operations.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { addToTree } from "../../src/features/cells/tree.ts";
import { json } from "../../src/store/sql.ts";
import { type Attempt, attemptsOn, idOf, stateOf, told, variantsOn } from "./attempts.ts";
import { formFields } from "../../src/features/forms/forms/form-field.ts";
import { furnish, type Makers } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, thirdOfTypes, startStage } from "./stage.ts";
import { makePerson, makeRow } from "../support/make.ts";
import { type Answer, codes, ids } from "../support/service.ts";

/**
 * Isolation between scopes of one account. The account has two rows of every type: one set around a cell, a course and a class
 * of the caller's scope, and one around others. The caller holds every permission in that scope. The attacks are derived
 * from the catalogue, so a new type needs no line here.
 */

const service = await startStage();
after(() => service.stop());
const { account, db } = service;

// Every person reads the classes that are not drafts.
const { "course-classes": _, ...special } = specialMakers(db, account.id);
const makers: Makers = {
  ...special,
  forms: async (rowOf) =>
    makeRow(db, "forms", account.id, {
      name: "Text",
      status: "open",
      fields: JSON.stringify(formFields().example),
      cell_id: (await rowOf("cells")) ?? "",
    }),
};
const theirs = await furnish(db, catalogue, account, makers);
const ours = await furnish(db, catalogue, account, {
  ...makers,
  // E-mail addresses and names are unique in the account.
  people: async () => (await makePerson(db, account.id)).id,
  tags: () => makeRow(db, "tags", account.id, { name: newId(), applies_to: ["people"] }),
  "roles": () => makeRow(db, "roles", account.id, { name: newId() }),
  "role-assignments": async (rowOf) =>
    makeRow(db, "role_assignments", account.id, {
      person_id: (await rowOf("people")) ?? "",
      role_id: (await rowOf("roles")) ?? "",
      scope_type: "cell",
      scope_ids: [(await rowOf("cells")) ?? ""],
    }),
});
for (const rows of [theirs, ours])
  await addToTree(db, account.id, { cellId: idOf(rows, "cells"), parentId: null });

const caller = await makePerson(db, account.id, { fullName: "Cora Caller" });
const role_id = await makeRow(db, "roles", account.id, {
  name: newId(),
  permissions: json([...catalogue.declared.permissions]),
} as never);
for (const [scope_type, type] of [
  ["cell", "cells"],
  ["cell-tree", "cells"],
  ["course", "courses"],
  ["course-class", "course-classes"],
] as const)
  await makeRow(db, "role_assignments", account.id, {
    person_id: caller.id,
    role_id,
    scope_type,
    scope_ids: [idOf(ours, type)],
  });
const as = caller.token;

/** Every person reads these types in the whole account. */
const open = new Set([...catalogue.resources.values()].filter(isOpen).map(({ type }) => type));
function isOpen({ operations, type }: Resource): boolean {
  const policy = operations.read ? policyOf(operations.read) : undefined;
  if (type === "accounts") return true;
  if (policy?.kind !== "permission") return false;
  return catalogue.declared.everyone.some(
    ({ permissions, scopeType }) =>
      scopeType === "account" && permissions.includes(policy.permissions[0]),
  );
}
/** Links to the authors of these rows are shown, also to people out of scope. */
const authors = new Set(["people"]);
const isScoped = (resource: Resource): boolean =>
  !open.has(resource.type) &&
  computedListOf(resource) === undefined &&
  Boolean(resource.reach?.cell ?? resource.reach?.course ?? resource.reach?.["course-class"]);

const hidden = [...theirs].filter(([type]) => !open.has(type));
const secrets = (except: ReadonlySet<string> = new Set()): string[] =>
  hidden.filter(([type]) => !except.has(type)).map(([, id]) => id);

const send = (
  { body, method, path }: Attempt,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  service.request(method, path, { as, headers, ...(body !== undefined && { body }) });

function assertTellsNothing(answer: Answer, attempt: Attempt, except?: ReadonlySet<string>): void {
  const said = attempt.path + JSON.stringify(attempt.body ?? "");
  for (const secret of secrets(except))
    if (!said.includes(secret))
      assert.ok(!answer.text.includes(secret), `${told(attempt)}: ${answer.text}`);
}

/** The error of a response, without the id of the request. */
const lesson = ({ document, status }: Answer, id: string): string =>
  JSON.stringify([
    status,
    (document.errors ?? []).map(({ code, detail, source, title }) => [code, title, detail, source]),
  ]).replaceAll(id, "<id>");

const before = await stateOf(db, account);
const assertUnchanged = async () =>
  assert.deepEqual(await stateOf(db, account), before, "no row has changed");

for (const resource of thirdOfTypes("types attacked from another scope")) {
  const id = idOf(theirs, resource.type);

  if (!open.has(resource.type))
    test(`404 · ${resource.type} outside the scope are like absent ones for every verb and relationship`, async () => {
      const linked = [ours, theirs].map((rows) => (type: string) => idOf(rows, type));
      for (const [attempt, headers] of variantsOn(resource, id, ...linked)) {
        const answer = await send(attempt, headers);
        assert.ok([403, 404].includes(answer.status), `${told(attempt)} ${answer.text}`);
        assertTellsNothing(answer, attempt);
        const nowhere = newId();
        const absent = await send(
          JSON.parse(JSON.stringify(attempt).replaceAll(id, nowhere)) as Attempt,
          headers,
        );
        assert.equal(lesson(answer, id), lesson(absent, nowhere), told(attempt));
      }
      await assertUnchanged();
    });
  else
    test(`403 · ${resource.type} that every person reads are not changed from another scope`, async () => {
      for (const attempt of attemptsOn(resource, id, (type) => idOf(theirs, type))) {
        const answer = await send(attempt);
        assert.ok(answer.status < 500, answer.text);
        if (attempt.method !== "GET")
          assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"], told(attempt));
        assertTellsNothing(answer, attempt, authors);
      }
      await assertUnchanged();
    });

  if (resource.operations.list)
    test(`200 · lists of ${resource.type} have nothing of another scope`, async () => {
      const ofTheirs = secrets();
      const queries = [
        "",
        `include=${Object.keys(resource.relationships).join()}`,
        `filter[id]=${ofTheirs.join()}`,
        ...Object.keys(resource.sorts).flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`]),
        ...Object.entries(resource.filters)
          .filter(([, { match }]) => ["id", "related", "within"].includes(match))
          .map(([name]) => `filter[${name}]=${ofTheirs.join()}`),
      ];
      for (const query of queries) {
        const attempt = { method: "GET", path: `/v1/${resource.type}?${query}` };
        const answer = await send(attempt);
        if (!isScoped(resource) && answer.status === 403) continue;
        // The caller holds the permission of some filters only for their own household.
        if (query.startsWith("filter") && answer.status === 400) continue;
        assert.equal(answer.status, 200, `${told(attempt)} ${answer.text}`);
        if (open.has(resource.type)) {
          assertTellsNothing(answer, { ...attempt, path: query }, authors);
          continue;
        }
        assertTellsNothing(answer, { ...attempt, path: query });
        const [found, total] = [ids(answer), answer.document.meta?.["total"]];
        assert.equal(total, query.startsWith("filter") ? 0 : found.length, told(attempt));
        if (isScoped(resource) && !query.startsWith("filter"))
          assert.ok(found.includes(idOf(ours, resource.type)), `${told(attempt)} ${answer.text}`);
      }
    });
}
