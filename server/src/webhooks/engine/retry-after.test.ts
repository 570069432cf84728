import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, HOUR } from "../../base/clock.ts";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.UTC(2026, 1, 27, 12, 0, 0);

const cases: readonly [value: string, ms: number | undefined][] = [
  ["0", 0],
  ["1", 1_000],
  ["120", 120_000],
  ["007", 7_000],
  ["1.5", 1_500],
  ["0.0001", 1],
  [" \t5 ", 5_000],
  ["86400", DAY],
  ["86401", DAY],
  ["9".repeat(400), DAY],

  ["Fri, 27 Feb 2026 12:00:30 GMT", 30_000],
  ["Friday, 27-Feb-26 12:00:30 GMT", 30_000],
  ["Fri Feb 27 12:00:30 2026", 30_000],
  ["Fri Feb  6 12:00:30 2026", 0],
  ["Fri, 27 Feb 2026 12:00:60 GMT", 60_000],
  ["Fri, 27 Feb 2026 12:00:00 GMT", 0],
  ["Fri, 27 Feb 2026 13:00:00 GMT", HOUR],
  ["Fri, 27 Feb 2099 12:00:00 GMT", DAY],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
  ["Sun Nov  6 08:49:37 1994", 0],
  ["Sunday, 06-Nov-76 08:49:37 GMT", DAY],
  ["Sunday, 06-Nov-77 08:49:37 GMT", 0],
  ["Mon, 01 Jan 0001 00:00:00 GMT", 0],
  ["Tue, 29 Feb 2028 00:00:00 GMT", DAY],

  ["", undefined],
  [" ", undefined],
  ["-1", undefined],
  ["+1", undefined],
  ["1.", undefined],
  [".5", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["1,5", undefined],
  ["1, 2", undefined],
  ["1s", undefined],
  ["1 2", undefined],
  ["١", undefined],
  ["1\n", undefined],
  ["Infinity", undefined],
  ["NaN", undefined],
  ["soon", undefined],
  ["2026-02-27T12:00:30Z", undefined],
  ["Fri, 27 Feb 2026 12:00:30", undefined],
  ["Fri, 27 Feb 2026 12:00:30 UTC", undefined],
  ["Fri, 27 Feb 2026 12:00:30 +0000", undefined],
  ["fri, 27 feb 2026 12:00:30 gmt", undefined],
  ["Fri, 27  Feb 2026 12:00:30 GMT", undefined],
  ["Fri, 7 Feb 2026 12:00:30 GMT", undefined],
  ["Fri, 30 Feb 2026 12:00:30 GMT", undefined],
  ["Fri, 29 Feb 2026 12:00:30 GMT", undefined],
  ["Fri, 00 Feb 2026 12:00:30 GMT", undefined],
  ["Fri, 27 Feb 2026 24:00:00 GMT", undefined],
  ["Fri, 27 Feb 2026 12:60:00 GMT", undefined],
  ["Fri, 27 Feb 2026 12:00:61 GMT", undefined],
  ["Friday, 27 Feb 2026 12:00:30 GMT", undefined],
  ["Fri, 27-Feb-26 12:00:30 GMT", undefined],
  ["Fri Feb 27 12:00:30 2026 GMT", undefined],
];

for (const [value, ms] of cases)
  test(`Retry-After ${JSON.stringify(value.slice(0, 40))} is ${ms ?? "ignored"}`, () => {
    assert.equal(retryAfterMs(value, now), ms);
  });

test("an absent Retry-After is ignored", () => {
  assert.equal(retryAfterMs(undefined, now), undefined);
});
