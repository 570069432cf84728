import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./errors.ts";
import { checkTransition, type Transitions } from "./transitions.ts";

const doors: Transitions<"open" | "closed" | "locked"> = {
  open: ["closed"],
  closed: ["open", "locked"],
  locked: ["closed"],
};

test("an allowed change is a change, and the present status is none", () => {
  assert.equal(checkTransition(doors, "closed", "locked"), true);
  assert.equal(checkTransition(doors, "locked", "locked"), false);
});

test("a status that cannot follow is an error that lists the allowed ones", () => {
  assert.throws(
    () => checkTransition(doors, "open", "locked"),
    (error) => {
      assert.ok(error instanceof ApiError);
      const [problem] = error.problems;
      assert.deepEqual([problem?.status, problem?.code], [409, "invalid-transition"]);
      assert.deepEqual(problem?.source, { pointer: "/data/attributes/status" });
      assert.deepEqual(problem?.meta, { from: "open", to: "locked", allowed: ["closed"] });
      return true;
    },
  );
});
