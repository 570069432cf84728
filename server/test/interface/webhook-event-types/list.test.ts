import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { ids, many, startService } from "../../support/service.ts";

const { declared } = describedCatalogue;

const service = await startService();
after(() => service.stop());

const list = (query = "", more = {}) => service.get(`/v1/webhook-event-types?${query}`, more);
const types = Object.keys(declared.events).sort();

test("200 · the list has every type that accepts subscriptions, on one page", async () => {
  const answer = await list();
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("content-type"), "application/vnd.api+json");
  assert.deepEqual(ids(answer), types);
  assert.deepEqual(answer.document.meta, { page: 1, size: 100, total: types.length });
  for (const name of ["person.created", "person.updated", "person.merged", "cell.updated"])
    assert.ok(types.includes(name), name);
});

test("200 · each type has a description, a version, its personal data and an example", async () => {
  for (const { attributes, id } of many(await list())) {
    assert.deepEqual(
      Object.keys(attributes).sort(),
      ["description", "example", "is-captured", "personal-data-level", "since"],
      id,
    );
    assert.match(String(attributes["description"]), /\.$/, id);
    assert.match(String(attributes["since"]), /^\d+\.\d+\.\d+$/, id);
    assert.ok(["none", "ids", "details"].includes(String(attributes["personal-data-level"])), id);
  }
});

/** Captured by the operations of their features, whose own tests hold them. */
const capturedByHand = [
  "cell-join-request.decided",
  "cell-meeting.created",
  "cell-meeting.reported",
  "cell-meeting.updated",
  "cell-membership.ended",
  "cell.closed",
  "cell.multiplied",
  "cell.reopened",
  "course-attendance.recorded",
  "course-class.finished",
  "course-class.started",
  "course-enrollment.completed",
  "course-enrollment.created",
  "course-enrollment.withdrawn",
  "form-submission.created",
  "form-submission.updated",
  "import-job.completed",
  "person.anonymized",
  "person.deactivated",
  "person.merged",
  "person.reactivated",
];

test("200 · a write captures each type, and is-captured is true for all of them", async () => {
  const told = [...describedCatalogue.resources.values()].flatMap(({ captures = {} }) =>
    Object.values(captures),
  );
  const shown = many(await list());
  assert.deepEqual(
    shown.map(({ id }) => id),
    [...told, ...capturedByHand].sort(),
  );
  for (const { attributes, id } of shown) assert.equal(attributes["is-captured"], true, id);
});
