import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE } from "../../base/clock.ts";
import { Slots } from "./slots.ts";

const lane = { accountId: "church", endpointId: "receiver" };

test("a process sends 512 requests at once, at most 32 per receiver and 128 per account", () => {
  const slots = new Slots();
  const { accountShare, endpointShare } = slots.usage();
  assert.deepEqual([slots.free, endpointShare, accountShare], [512, 32, 128]);
});

test("the last quarter of the slots gives one to each receiver and two to each account", () => {
  const slots = new Slots({ slots: 8, perEndpoint: 8, perAccount: 8 });
  const sharesWith = (taken: number) => {
    while (slots.taken < taken) slots.take(lane);
    while (slots.taken > taken) slots.give(lane);
    const { accountShare, endpointShare } = slots.usage();
    return [endpointShare, accountShare];
  };
  assert.deepEqual(sharesWith(5), [8, 8]);
  assert.deepEqual(sharesWith(6), [1, 2]);
  assert.deepEqual(sharesWith(8), [1, 2]);
  assert.deepEqual(sharesWith(5), [8, 8]);
});

test("slots are counted per receiver and account while they are held", () => {
  const slots = new Slots();
  const other = { ...lane, endpointId: "another" };
  for (const one of [lane, lane, other]) slots.take(one);
  const { accounts, endpoints } = slots.usage();
  assert.deepEqual([...accounts], [["church", 3]]);
  assert.deepEqual(
    [...endpoints],
    [
      ["receiver", 2],
      ["another", 1],
    ],
  );
  for (const one of [lane, lane, other]) slots.give(one);
  assert.deepEqual([slots.taken, endpoints.size, accounts.size], [0, 0, 0]);
});

test("a receiver that is left to other nodes counts as full for a limited time", (t) => {
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const slots = new Slots();
  slots.skip(lane, MINUTE);
  const taken = () => slots.usage().endpoints.get(lane.endpointId);
  assert.equal(taken(), 32);
  now += MINUTE;
  assert.equal(taken(), 32);
  now += 1;
  assert.equal(taken(), undefined);
});
