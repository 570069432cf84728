import assert from "node:assert/strict";
import { test } from "node:test";
import { bucketOf, latenciesOf } from "./metrics.ts";

test("a latency belongs to the first bucket whose bound it does not exceed", () => {
  for (const [latencyMs, bucket] of [
    [0, 0],
    [5, 0],
    [5.1, 1],
    [10, 1],
    [11, 2],
    [1_000, 7],
    [1_001, 8],
    [10_000, 10],
    [10_001, 11],
    [60_000, 11],
  ] as const)
    assert.equal(bucketOf(latencyMs), bucket, `${latencyMs} ms`);
});

test("each attempt is counted in one bucket", () => {
  assert.deepEqual(latenciesOf([]), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(latenciesOf([3, 4, 7, 800, 10_040]), [2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
});
