import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./errors.ts";
import { turns } from "./turns.ts";

/** Work that ends when the test says so. */
function heldWork() {
  const done = Promise.withResolvers<string>();
  let started = false;
  const work = () => {
    started = true;
    return done.promise;
  };
  return { work, end: () => done.resolve("done"), hasStarted: () => started };
}

const isRefused = (error: unknown) =>
  error instanceof ApiError && error.status === 503 && error.headers["Retry-After"] === "2";

test("one piece runs, as many wait as the queue takes, and the next one gets 503", async () => {
  const inTurn = turns({ atOnce: 1, queueMax: 2, busy: "Busy." });
  const pieces = [heldWork(), heldWork(), heldWork()];
  const results = pieces.map(({ work }) => inTurn(work));
  await assert.rejects(inTurn(heldWork().work), isRefused);
  assert.deepEqual(
    pieces.map(({ hasStarted }) => hasStarted()),
    [true, false, false],
  );
  for (const { end } of pieces) end();
  assert.deepEqual(await Promise.all(results), ["done", "done", "done"]);
  assert.equal(await inTurn(async () => "later"), "later");
});

test("a person has one running and one waiting piece, and others take their turns", async () => {
  const inTurn = turns({ atOnce: 1, queueMax: 9, busy: "Busy." });
  const pieces = [heldWork(), heldWork(), heldWork()];
  const results = pieces.map(({ work }, position) => inTurn(work, position < 2 ? "ana" : "rui"));
  await assert.rejects(inTurn(heldWork().work, "ana"), isRefused);
  for (const { end } of pieces) end();
  assert.deepEqual(await Promise.all(results), ["done", "done", "done"]);
  assert.equal(await inTurn(async () => "later", "ana"), "later");
});

test("work that fails passes its turn on", async () => {
  const inTurn = turns({ atOnce: 1, queueMax: 1, busy: "Busy." });
  const failing = inTurn(() => Promise.reject(new Error("No disk.")));
  const next = inTurn(async () => "done");
  await assert.rejects(failing, /No disk/);
  assert.equal(await next, "done");
});
