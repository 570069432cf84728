import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./errors.ts";
import { turns, turnsByKey } from "./turns.ts";

const busy = "Too much work is waiting.";

/** Work that ends when the test says so. */
function turn() {
  const done = Promise.withResolvers<void>();
  return { work: () => done.promise, end: () => done.resolve() };
}

const isBusy = (error: unknown) =>
  error instanceof ApiError && error.status === 503 && error.headers["Retry-After"] !== undefined;

test("work waits in order, and each key has places of its own", async () => {
  const inTurn = turnsByKey({ atOnce: 1, busy });
  const first = turn();
  const begun: string[] = [];
  const running = [
    inTurn("a", first.work),
    ...["one", "two", "three"].map((name) =>
      inTurn("a", async () => {
        begun.push(name);
      }),
    ),
  ];
  await inTurn("b", async () => {
    begun.push("of b");
  });
  assert.deepEqual(begun, ["of b"]);
  first.end();
  await Promise.all(running);
  assert.deepEqual(begun, ["of b", "one", "two", "three"]);
});

test("503 · work that has waited too long gives up, and takes no place from the next", async ({
  mock: { timers },
}) => {
  timers.enable({ apis: ["setTimeout"] });
  const inTurn = turns({ atOnce: 1, waitMsMax: 1_000, busy });
  const first = turn();
  const running = inTurn(first.work);
  const late = inTurn(() => assert.fail("It had given up."));
  timers.tick(999);
  const next = inTurn(async () => "done");
  timers.tick(1);
  await assert.rejects(late, isBusy);
  first.end();
  await running;
  assert.equal(await next, "done");
});

test("503 · work beyond the queue is refused at once", async () => {
  const inTurn = turns({ atOnce: 1, queueMax: 0, busy });
  const first = turn();
  const running = inTurn(first.work);
  await assert.rejects(
    inTurn(async () => undefined),
    isBusy,
  );
  first.end();
  await running;
});
