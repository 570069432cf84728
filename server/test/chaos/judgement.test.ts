import assert from "node:assert/strict";
import { test } from "node:test";
import { holds, judgeMeanwhile, type Verdict } from "./judgement.ts";
import type { Answer } from "./load.ts";

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

test("a run with several servers holds only if outages were measured and affected no other account", () => {
  const servers = { leastServed: 70, misplaced: 0, refused: 0, slowestMs: 900 };
  assert.ok(holds({ ...good, servers }));
  for (const wrong of [{ leastServed: 0 }, { misplaced: 1 }, { refused: 1 }])
    assert.ok(!holds({ ...good, servers: { ...servers, ...wrong } }), JSON.stringify(wrong));
});

test("an outage is judged by the accounts of the other servers, without log-ins if it is the home's", () => {
  const serverOf = new Map([
    ["near", 1],
    ["far", 2],
  ]);
  const answer = (accountId: string, from: number, more: Partial<Answer> = {}): Answer => ({
    accountId,
    isLogin: false,
    from,
    to: from + 10,
    status: 200,
    ...more,
  });
  const answers = [
    answer("near", 110, { status: 503 }),
    answer("near", 120, { status: 503, isLogin: true }),
    answer("far", 95),
    answer("far", 130),
    answer("far", 140, { isLogin: true, status: 503 }),
    answer("far", 150, { status: 503, to: 450 }),
    answer("far", 160, { status: 0 }),
    answer("far", 170, { status: 422 }),
    answer("far", 201, { status: 503 }),
  ];
  const judged = (server: number) =>
    judgeMeanwhile([{ server, from: 100, to: 200 }], answers, serverOf);
  assert.deepEqual(judged(1), { leastServed: 1, refused: 2, slowestMs: 300 });
  assert.deepEqual(judged(2), { leastServed: 0, refused: 2, slowestMs: 10 });
  assert.deepEqual(judgeMeanwhile([], answers, serverOf), {
    leastServed: 0,
    refused: 0,
    slowestMs: 0,
  });
});
