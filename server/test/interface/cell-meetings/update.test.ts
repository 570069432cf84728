import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, makeCell } from "../../support/cells.ts";
import { makeRow } from "../../support/make.ts";
import { codes, document, eventsOf, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const now = "2026-03-05T12:00:00.000Z";
const cell = await makeCell(db, account.id);

let made = 0;

/** A meeting with this status, each on another day. */
const meetingOf = async (status: string, columns: Record<string, string | null> = {}) => {
  made += 1;
  const reported = status === "held" || status === "not-held";
  return makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: await dayFromToday(db, account.id, -made),
    status,
    not_held_reason: status === "not-held" ? "Rain" : null,
    submitted_at: reported ? now : null,
    ...columns,
  });
};

const change = (id: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/cell-meetings/${id}`, document("cell-meetings", attributes, { id }));

test("200 · a report is one event, and another change of status is another", async () => {
  const eventsOfChange = async (from: string, to: string, more = {}) => {
    const id = await meetingOf(from);
    return eventsOf(() => change(id, { status: to, ...more }));
  };
  const reason = { "not-held-reason": "Rain" };
  assert.deepEqual(await eventsOfChange("scheduled", "held"), ["cell-meeting.reported"]);
  assert.deepEqual(await eventsOfChange("held", "not-held", reason), ["cell-meeting.reported"]);
  assert.deepEqual(await eventsOfChange("scheduled", "cancelled"), ["cell-meeting.updated"]);
  assert.deepEqual(await eventsOfChange("cancelled", "scheduled"), ["cell-meeting.updated"]);
  assert.deepEqual(await eventsOfChange("held", "held"), []);
});

test("200 · the date of a planned meeting can change, and only then", async () => {
  const id = await meetingOf("scheduled");
  const free = await dayFromToday(db, account.id, 20);
  assert.equal(one(await change(id, { date: free })).attributes["date"], free);
  for (const status of ["held", "not-held", "cancelled"]) {
    const answer = await change(await meetingOf(status), { date: "2025-01-01" });
    assert.deepEqual([answer.status, codes(answer)], [422, ["read-only-attribute"]], status);
    assert.deepEqual(pointers(answer), ["/data/attributes/date"]);
  }
});

test("409 · a date on which the cell has another meeting", async () => {
  const date = await dayFromToday(db, account.id, 30);
  const other = await meetingOf("scheduled", { date });
  const answer = await change(await meetingOf("scheduled"), { date });
  assert.deepEqual([answer.status, codes(answer)], [409, ["already-exists"]]);
  assert.equal(answer.document.errors?.[0]?.meta["id"], other);
});

test("422 · a planned meeting of next week was not held yet", async () => {
  const id = await meetingOf("scheduled", { date: await dayFromToday(db, account.id, 7) });
  const answer = await change(id, { status: "held" });
  assert.deepEqual([answer.status, pointers(answer)], [422, ["/data/attributes/status"]]);
  assert.equal((await change(id, { status: "cancelled" })).status, 200);
});

test("422 · the reason of a meeting that was not held cannot be removed alone", async () => {
  const id = await meetingOf("not-held");
  const answer = await change(id, { "not-held-reason": null });
  assert.deepEqual([answer.status, pointers(answer)], [422, ["/data/attributes/not-held-reason"]]);
  const held = one(await change(id, { status: "held" }));
  assert.equal(held.attributes["not-held-reason"], null);
});

test("204 · a deleted meeting takes its attendances along", async () => {
  const id = await meetingOf("scheduled");
  const visitors = [{ "full-name": "Rui Melo" }];
  assert.equal((await change(id, { visitors })).status, 200);
  const rows = `/v1/cell-attendances?filter[meeting]=${id}`;
  assert.equal((await service.get(rows)).document.meta?.["total"], 1);
  const events = await eventsOf(async () => {
    assert.equal((await service.delete(`/v1/cell-meetings/${id}`)).status, 204);
  });
  assert.deepEqual(events, ["cell-meeting.deleted"]);
  assert.equal((await service.get(rows)).document.meta?.["total"], 0);
});
