import assert from "node:assert/strict";
import { after, test } from "node:test";
import { onObservation } from "../../src/base/observe.ts";
import { newId } from "../../src/base/ids.ts";
import { freshDatabase } from "../support/database.ts";
import { makeCourse, makePerson } from "../support/make.ts";
import { codes, document, identifiers, pointers, startService } from "../support/service.ts";

/** Every route tells a violated constraint in words. Triggers raise the errors, as races would. */

const service = await startService({ database: await freshDatabase("it gets triggers") });
after(() => service.stop());
const { account, db } = service;

await db.query("create table raised (code text, name text)");
await db.query(`
  create function raise_chosen() returns trigger language plpgsql as $$
  declare chosen raised;
  begin
    select * into chosen from raised;
    if chosen.code is not null then
      raise 'violated' using errcode = chosen.code, constraint = chosen.name;
    end if;
    return coalesce(new, old);
  end $$`);
const course = await makeCourse(db, account.id);
const person = await makePerson(db, account.id);
await service.post(
  `/v1/courses/${course}/relationships/teachers`,
  identifiers("people", [person.id]),
);
for (const table of ["courses", "course_teachers", "access_tokens"])
  await db.query(
    `create trigger raise_chosen before insert or update or delete on ${table} for each row execute function raise_chosen()`,
  );

/** Runs the requests while each of them violates a constraint. */
async function violating<T>(code: string, name: string, act: () => Promise<T>): Promise<T> {
  await db`insert into raised values (${code}, ${name})`;
  try {
    return await act();
  } finally {
    await db`delete from raised`;
  }
}

const path = `/v1/courses/${course}`;
const other = await makePerson(db, account.id);
const linkage = `${path}/relationships/teachers`;
const writes: [method: string, path: string, body?: unknown][] = [
  ["POST", "/v1/courses", document("courses", { name: "New" })],
  ["PATCH", path, document("courses", { name: "Changed" }, { id: course })],
  ["DELETE", path],
  ["POST", linkage, identifiers("people", [other.id])],
  ["PATCH", linkage, identifiers("people", [other.id])],
  ["DELETE", linkage, identifiers("people", [person.id])],
  [
    "POST",
    "/v1/access-token-revocations",
    document(
      "access-token-revocations",
      {},
      {
        relationships: { person: { data: { type: "people", id: person.id } } },
      },
    ),
  ],
];
const isJsonApi = (at: string) => !at.includes("revocations");

for (const [method, at, body] of writes) {
  const send = () => service.request(method, at, { body });

  test(`409 · ${method} ${at.replace(course, ":id")} says the words of the type whose constraint it violates`, async () => {
    if (!isJsonApi(at)) return;
    const answer = await violating("23505", "cell_memberships_active_key", send);
    assert.deepEqual(
      [answer.status, codes(answer), pointers(answer)],
      [409, ["already-exists"], ["/data"]],
    );
  });

  test(`409 · ${method} ${at.replace(course, ":id")} and a constraint that no document can break: a conflict, which is logged`, async () => {
    for (const code of ["23502", "23503", "23505", "23514"]) {
      const failed: unknown[] = [];
      const end = onObservation((one) => {
        if (one.kind === "request-failed") failed.push((one.error as { code: string }).code);
      });
      const answer = await violating(code, "cell_trees_pkey", send);
      end();
      assert.deepEqual([answer.status, codes(answer)], [409, ["conflict"]], answer.text);
      assert.deepEqual(failed, [code]);
    }
  });
}

test("422 · a key of other rows points at the relationship that leads to their target", async () => {
  const [, patch] = writes;
  assert.ok(patch);
  const [method, at, body] = patch;
  for (const [key, pointer] of [
    ["course_teachers_person_fkey", "/data/relationships/teachers/data"],
    ["cell_attendances_person_fkey", "/data/relationships/teachers/data"],
    ["cell_attendances_meeting_fkey", "/data"],
  ] as const) {
    const answer = await violating("23503", key, () => service.request(method, at, { body }));
    assert.deepEqual(
      [answer.status, codes(answer), pointers(answer)],
      [422, ["invalid-relationship"], [pointer]],
      key,
    );
  }
  const absent = await service.request("POST", linkage, { body: identifiers("people", [newId()]) });
  assert.deepEqual([absent.status, pointers(absent)], [422, ["/data/0/id"]]);
});
