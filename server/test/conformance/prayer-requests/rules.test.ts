import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeAssignment, makeEndpoint, makePerson } from "../../support/make.ts";
import { codes, document, eventsOf, ids, one, pointers } from "../../support/service.ts";
import { startStage } from "../../conformance/stage.ts";

const service = await startStage();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, {
  events: ["prayer-request.created", "prayer-request.deleted"],
});
const person = (await makePerson(db, account.id)).id;

const requestFor = (attributes: Record<string, unknown>) =>
  document("prayer-requests", attributes, {
    relationships: { person: { data: { type: "people", id: person } } },
  });

test("403 · a secretary reads prayer requests and adds none; a member does neither", async () => {
  const added = one(await service.post("/v1/prayer-requests", requestFor({ title: "Surgery" })));
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const as = secretary.token;
  assert.ok(ids(await service.get("/v1/prayer-requests", { as })).includes(added.id));
  const refused = await service.post("/v1/prayer-requests", requestFor({ title: "Exams" }), { as });
  assert.deepEqual([refused.status, codes(refused)], [403, ["forbidden"]]);
  const member = await makePerson(db, account.id);
  assert.equal((await service.get("/v1/prayer-requests", { as: member.token })).status, 403);
});

test("422 · an answered request needs the time of the answer", async () => {
  const open = one(await service.post("/v1/prayer-requests", requestFor({ title: "Work" })));
  const path = `/v1/prayer-requests/${open.id}`;
  const answer = (attributes: Record<string, unknown>) =>
    service.patch(path, document("prayer-requests", attributes, { id: open.id }));
  const refused = await answer({ status: "answered" });
  assert.deepEqual([refused.status, pointers(refused)], [422, ["/data/attributes/answered-at"]]);
  const accepted = await answer({
    "status": "answered",
    "answered-at": "2026-11-22T10:00:00.000Z",
  });
  assert.equal(accepted.status, 200, accepted.text);
});

test("prayer-request.created and .deleted are captured and queued for the endpoint", async () => {
  const told = await eventsOf(async () => {
    const made = one(await service.post("/v1/prayer-requests", requestFor({ title: "Travel" })));
    assert.equal((await service.delete(`/v1/prayer-requests/${made.id}`)).status, 204);
  });
  assert.deepEqual(told, ["prayer-request.created", "prayer-request.deleted"]);
  const queued = await db<{ type: string }[]>`
    select distinct event_type as type from webhook_queue where account_id = ${account.id} order by 1`;
  assert.deepEqual(
    queued.map(({ type }) => type),
    told,
  );
});

test("200 · the event types of the added feature are listed", async () => {
  const answer = await service.get("/v1/webhook-event-types/prayer-request.created");
  assert.equal(answer.status, 200, answer.text);
  assert.equal(one(answer).attributes["is-captured"], true);
});
