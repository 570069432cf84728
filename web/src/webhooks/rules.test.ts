import assert from "node:assert/strict";
import { test } from "node:test";
import { mistakeIn, obstacleTo, stepsOf } from "./rules.ts";

test("a delivery can be delivered again under the rules of the service", () => {
  const failed = {
    kind: "production",
    status: "exhausted",
    "event-type": "person.updated",
  } as const;
  const endpoint = { status: "active", events: ["person.updated"] } as never as Parameters<
    typeof obstacleTo
  >[1] &
    object;
  assert.equal(obstacleTo(failed, endpoint), undefined);
  for (const status of ["failed-permanent", "suppressed"] as const)
    assert.equal(obstacleTo({ ...failed, status }, endpoint), undefined);
  for (const status of ["pending", "processing", "delivered", "expired"] as const)
    assert.equal(obstacleTo({ ...failed, status }, endpoint), "state");
  assert.equal(obstacleTo({ ...failed, kind: "test" }, endpoint), "kind");
  assert.equal(obstacleTo(failed, null), "endpoint");
  assert.equal(obstacleTo(failed, { ...endpoint, status: "paused" }), "paused");
  assert.equal(obstacleTo(failed, { ...endpoint, status: "pending-verification" }), "unverified");
  assert.equal(obstacleTo(failed, { ...endpoint, events: ["person.created"] }), "unsubscribed");
});

test("the form sees what is wrong with an address", () => {
  assert.equal(mistakeIn(" https://crm.example.org/hooks?a=b "), undefined);
  assert.equal(mistakeIn("crm.example.org"), "form");
  assert.equal(mistakeIn("http://crm.example.org"), "https");
  assert.equal(mistakeIn("https://ana:secret@crm.example.org"), "credentials");
  assert.equal(mistakeIn("https://crm.example.org/#"), "fragment");
});

test("the steps of a window contain each hour once, and count what is retried", () => {
  const now = Date.parse("2026-11-29T14:20:00Z");
  const hour = (at: string) => ({ at, attempts: 10, succeeded: 6, failed: 1 });
  const hours = [
    hour("2026-11-28T14:00:00Z"),
    hour("2026-11-28T15:00:00Z"),
    hour("2026-11-29T14:00:00Z"),
  ];
  const day = stepsOf(hours, { now, span: 24, step: 1 });
  assert.equal(day.length, 24);
  assert.deepEqual(day[0], {
    from: Date.parse("2026-11-28T15:00:00Z"),
    to: Date.parse("2026-11-28T16:00:00Z"),
    delivered: 6,
    retried: 3,
    failed: 1,
  });
  assert.equal(
    day.reduce((sum, one) => sum + one.delivered, 0),
    12,
  );
  const week = stepsOf(hours, { now, span: 168, step: 6 });
  assert.equal(week.length, 28);
  assert.equal(
    week.reduce((sum, one) => sum + one.delivered, 0),
    18,
  );
});
