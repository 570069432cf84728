import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem } from "../../../base/errors.ts";
import { checkSchedule } from "./schedule.ts";

type Times = readonly [weekday: number, startsAt: number, endsAt: number];

const cases: [what: string, schedule: Times[], rejected: number[]][] = [
  ["no entry", [], []],
  ["one entry", [[2, 1_140, 1_230]], []],
  [
    "two entries that touch",
    [
      [2, 600, 700],
      [2, 700, 800],
    ],
    [],
  ],
  [
    "the same time on two days",
    [
      [2, 600, 700],
      [3, 600, 700],
    ],
    [],
  ],
  ["an entry past midnight", [[2, 1_380, 60]], [0]],
  ["an entry without length", [[2, 600, 600]], [0]],
  [
    "an entry twice",
    [
      [2, 600, 700],
      [2, 600, 700],
    ],
    [1],
  ],
  [
    "an entry inside another",
    [
      [2, 600, 900],
      [2, 700, 800],
    ],
    [1],
  ],
  [
    "an entry around another",
    [
      [2, 700, 800],
      [2, 600, 900],
    ],
    [1],
  ],
  [
    "two entries over one",
    [
      [2, 600, 900],
      [3, 0, 10],
      [2, 500, 601],
      [2, 899, 950],
    ],
    [2, 3],
  ],
];

for (const [what, schedule, rejected] of cases)
  test(what, () => {
    const slots = schedule.map(([weekday, startsAt, endsAt]) => ({
      weekday,
      "starts-at": startsAt,
      "ends-at": endsAt,
    }));
    const problems: Problem[] = [];
    checkSchedule(slots, "/schedule", problems);
    assert.deepEqual(
      problems.map(({ source }) => source),
      rejected.map((position) => ({ pointer: `/schedule/${position}` })),
    );
  });

test("entries that are no times are left to the schema", () => {
  const problems: Problem[] = [];
  for (const value of [null, "x", [null, 1, "x", {}, { "ends-at": null }]])
    checkSchedule(value, "/schedule", problems);
  assert.deepEqual(problems, []);
});
