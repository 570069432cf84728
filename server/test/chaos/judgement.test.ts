import assert from "node:assert/strict";
import { test } from "node:test";
import { holds, type Verdict } from "./judgement.ts";

const good: Verdict = {
  accepted: 100,
  captured: 101,
  delivered: 101,
  lost: 0,
  duplicated: 3,
  stuck: 0,
  forged: 0,
  requests: 120,
  abandoned: 4,
  troubles: { "workers killed": 5 },
};

test("a run holds where all that was accepted was taken, however often", () => {
  assert.ok(holds(good));
});

test("a run in which something is lost, stuck or forged does not hold, nor one that tried nothing", () => {
  const nothing = { accepted: 0, captured: 0, delivered: 0, requests: 0 };
  for (const wrong of [{ lost: 1 }, { stuck: 1 }, { forged: 1 }, { accepted: 0 }, nothing])
    assert.ok(!holds({ ...good, ...wrong }), JSON.stringify(wrong));
});
