import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { insertion } from "../../../src/store/sql.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import { codes, document, pointers, startService } from "../../support/service.ts";
import { meanwhile } from "../../support/together.ts";

/** Requests that meet a constraint because of a change at the same time. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const to = (type: string, id: string) => ({ data: { type, id } });

test("409 · an approval of a person who becomes a member at that moment", async () => {
  const cell = await makeCell(db, account.id);
  const { id: person } = await makePerson(db, account.id);
  const request = await makeRow(db, "cell_join_requests", account.id, {
    cell_id: cell,
    person_id: person,
    source: "self",
  });
  const membership = {
    account_id: account.id,
    id: newId(),
    cell_id: cell,
    person_id: person,
    cell_role: "visitor",
    joined_on: "2026-01-01",
  };
  const answer = await meanwhile(
    db,
    (tx) => tx`insert into cell_memberships ${insertion(membership)}`,
    () =>
      service.patch(
        `/v1/cell-join-requests/${request}`,
        document("cell-join-requests", { status: "approved" }, { id: request }),
      ),
  );
  assert.deepEqual([answer.status, codes(answer)], [409, ["already-exists"]], answer.text);
});

test("422 · a report that names a person who is deleted at that moment, at the entry of this person", async () => {
  const cell = await makeCell(db, account.id);
  const [first, second] = [
    await makeMember(db, account.id, cell),
    await makeMember(db, account.id, cell),
  ];
  const attendance = [first, second].map(({ id }) => ({ "person-id": id, "status": "present" }));
  const answer = await meanwhile(
    db,
    (tx) => tx`delete from people where account_id = ${account.id} and id = ${second.id}`,
    () =>
      service.post(
        "/v1/cell-meetings",
        document(
          "cell-meetings",
          { date: "2026-03-04", status: "held", attendance },
          { relationships: { cell: to("cells", cell) } },
        ),
      ),
  );
  assert.deepEqual(
    [answer.status, pointers(answer)],
    [422, ["/data/attributes/attendance/1/person-id"]],
    answer.text,
  );
});

test("422 · a cell below a parent that is deleted at that moment; 409 · a parent that gets a child", async () => {
  const parent = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const created = await meanwhile(
    db,
    (tx) => tx`delete from cells where account_id = ${account.id} and id = ${parent}`,
    () =>
      service.post(
        "/v1/cells",
        document("cells", { name: "Below" }, { relationships: { parent: to("cells", parent) } }),
      ),
  );
  assert.deepEqual(
    [created.status, codes(created), pointers(created)],
    [422, ["invalid-relationship"], ["/data/relationships/parent/data"]],
    created.text,
  );

  const other = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
  const child = { account_id: account.id, id: newId(), name: "Child", parent_id: other };
  const deleted = await meanwhile(
    db,
    (tx) => tx`insert into cells ${insertion(child)}`,
    () => service.delete(`/v1/cells/${other}`),
  );
  assert.deepEqual([deleted.status, codes(deleted)], [409, ["cell-has-children"]], deleted.text);
});
