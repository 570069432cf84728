import assert from "node:assert/strict";
import { test } from "node:test";
import { now } from "../../ui/clock.ts";
import { isOutdated, keptDays } from "./kept-days.ts";

const readDaysAgo = (days: number) => ({
  readAt: new Date(now() - days * 86_400_000).toISOString(),
});

test("the device keeps sheets as long as the church lets reports be corrected", () => {
  assert.equal(keptDays({}), 14);
  assert.equal(keptDays({ "report-edit-days": null }), 14);
  const days = keptDays({ "report-edit-days": 3 });
  assert.equal(isOutdated(readDaysAgo(2.9), days), false);
  assert.equal(isOutdated(readDaysAgo(3.1), days), true);
});
