import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, makeCell } from "../../support/cells.ts";
import { codes, document, eventsOf, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const today = await dayFromToday(db, account.id, 0);

const create = (cell: string, attributes: Record<string, unknown>) =>
  service.post(
    "/v1/cell-meetings",
    document("cell-meetings", attributes, {
      relationships: { cell: { data: { type: "cells", id: cell } } },
    }),
  );

test("201 · a planned meeting takes its times from the cell and is not a report", async () => {
  const cell = await makeCell(db, account.id, { starts_at: 1200, ends_at: 1290, is_online: true });
  const date = await dayFromToday(db, account.id, 7);
  let meeting = {} as ReturnType<typeof one>;
  const events = await eventsOf(async () => {
    meeting = one(await create(cell, { date }));
  });
  assert.deepEqual(events, ["cell-meeting.created"]);
  assert.partialDeepStrictEqual(meeting.attributes, {
    date,
    "status": "scheduled",
    "starts-at": 1200,
    "ends-at": 1290,
    "is-online": true,
    "present-count": 0,
    "members-count": null,
    "visitors-count": null,
    "report-status": "not-due",
    "submitted-at": null,
  });
  assert.ok(!("attendance" in meeting.attributes));
  assert.equal(meeting.relationships["submitted-by"]?.data, null);
});

test("201 · times that are sent replace those of the cell", async () => {
  const cell = await makeCell(db, account.id, { starts_at: 1200, ends_at: 1290, is_online: true });
  const sent = { "starts-at": 600, "ends-at": null, "is-online": false };
  const meeting = one(await create(cell, { date: today, ...sent }));
  assert.partialDeepStrictEqual(meeting.attributes, sent);
  const late = one(await create(cell, { "date": "2026-01-05", "starts-at": 1300 }));
  assert.partialDeepStrictEqual(late.attributes, { "starts-at": 1300, "ends-at": null });
});

test("409 · a second meeting of the cell on that date", async () => {
  const cell = await makeCell(db, account.id);
  const first = one(await create(cell, { date: today }));
  const answer = await create(cell, { date: today, status: "held" });
  assert.deepEqual([answer.status, codes(answer)], [409, ["already-exists"]]);
  assert.deepEqual(pointers(answer), ["/data/attributes/date"]);
  assert.equal(answer.document.errors?.[0]?.meta["id"], first.id);
  assert.equal((await create(await makeCell(db, account.id), { date: today })).status, 201);
});

test("409 · a meeting after the cell was closed, but not one before", async () => {
  const cell = await makeCell(db, account.id, { closed_at: "2026-03-10T12:00:00Z" });
  const answer = await create(cell, { date: "2026-03-11" });
  assert.deepEqual([answer.status, codes(answer)], [409, ["cell-closed"]]);
  assert.equal((await create(cell, { date: "2026-03-04", status: "held" })).status, 201);
});

test("422 · members that contradict each other are reported at their place", async () => {
  const cell = await makeCell(db, account.id);
  const future = await dayFromToday(db, account.id, 2);
  const entry = { "person-id": account.administrator.id, "status": "present" };
  const cases: [attributes: Record<string, unknown>, member: string, code?: string][] = [
    [{ status: "not-held" }, "not-held-reason", "missing-attribute"],
    [{ "status": "not-held", "not-held-reason": null }, "not-held-reason", "missing-attribute"],
    [{ "not-held-reason": "Rain" }, "not-held-reason"],
    [{ "status": "held", "not-held-reason": "Rain" }, "not-held-reason"],
    [{ date: future, status: "held" }, "date"],
    [{ date: future, attendance: [entry] }, "date"],
    [{ "starts-at": 1200, "ends-at": 1200 }, "ends-at"],
    [{ "status": "not-held", "not-held-reason": "Rain", "attendance": [entry] }, "attendance"],
    [{ "status": "not-held", "not-held-reason": "Rain", "visitors": [] }, "visitors"],
    [{ status: "cancelled", attendance: [entry] }, "attendance"],
    [{ "offering-amount": 100, "offering-currency": "BRL" }, "offering-amount"],
  ];
  for (const [attributes, member, code = "invalid-attribute"] of cases) {
    const answer = await create(cell, { date: today, ...attributes });
    const sent = JSON.stringify(attributes);
    assert.equal(answer.status, 422, `${sent} ${answer.text}`);
    assert.ok(pointers(answer).includes(`/data/attributes/${member}`), `${sent} ${answer.text}`);
    assert.ok(codes(answer).includes(code), `${sent} ${answer.text}`);
  }
  assert.equal(
    (await service.get(`/v1/cell-meetings?filter[cell]=${cell}`)).document.meta?.["total"],
    0,
  );
});

test("201 · a meeting may be tomorrow, because of time zones, and cancelled from the start", async () => {
  const cell = await makeCell(db, account.id);
  const tomorrow = await dayFromToday(db, account.id, 1);
  assert.equal((await create(cell, { date: tomorrow, status: "held" })).status, 201);
  const cancelled = one(await create(cell, { date: today, status: "cancelled" }));
  assert.equal(cancelled.attributes["report-status"], null);
});

test("offerings · accepted while the setting is on, an amount and a currency together", async () => {
  const settings = (on: boolean) =>
    service.patch(
      `/v1/accounts/${account.id}`,
      document("accounts", { settings: { "meeting-offerings": on } }, { id: account.id }),
    );
  assert.equal((await settings(true)).status, 200);
  const cell = await makeCell(db, account.id);
  const both = { "offering-amount": 12_050, "offering-currency": "BRL" };
  const meeting = one(await create(cell, { date: today, status: "held", ...both }));
  assert.partialDeepStrictEqual(meeting.attributes, both);
  for (const [sent, missing] of [
    [{ "offering-amount": 1 }, "offering-currency"],
    [{ "offering-currency": "BRL" }, "offering-amount"],
  ] as const) {
    const answer = await create(cell, { date: "2026-02-02", ...sent });
    assert.deepEqual([answer.status, pointers(answer)], [422, [`/data/attributes/${missing}`]]);
  }
  assert.equal((await settings(false)).status, 200);
  const path = `/v1/cell-meetings/${meeting.id}`;
  const change = (attributes: Record<string, unknown>) =>
    service.patch(path, document("cell-meetings", attributes, { id: meeting.id }));
  assert.equal((await change({ ...both, theme: "Kept" })).status, 200);
  assert.equal((await change({ "offering-amount": 5 })).status, 422);
  const none = { "offering-amount": null, "offering-currency": null };
  assert.partialDeepStrictEqual(one(await change(none)).attributes, none);
});
