import assert from "node:assert/strict";
import { test } from "node:test";
import { waitOf } from "./wait.ts";

test("a wait of more than 90 seconds is said in minutes, and never ends before its time", () => {
  assert.deepEqual(
    [1, 90, 91, 120, 840, 841].map((seconds) => {
      const { count, unit } = waitOf(seconds);
      return `${count} ${unit}`;
    }),
    ["1 second", "90 second", "2 minute", "2 minute", "14 minute", "15 minute"],
  );
});
