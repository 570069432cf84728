import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionsBetween, wallTime } from "./slots.ts";

const tuesday = { "weekday": 2, "starts-at": 1_140, "ends-at": 1_230 };
const morning = { "weekday": 2, "starts-at": 540, "ends-at": 600 };
const sunday = { "weekday": 0, "starts-at": 90, "ends-at": 150 };

const cases: [
  what: string,
  zone: string,
  schedule: (typeof tuesday)[],
  starts: string,
  ends: string,
  expected: string[],
][] = [
  [
    "both ends of the example of the interface",
    "America/Sao_Paulo",
    [tuesday],
    "2027-03-02T22:00:00Z",
    "2027-03-16T23:30:00Z",
    ["2027-03-02 1140", "2027-03-09 1140", "2027-03-16 1140"],
  ],
  [
    "times of one day are in their order",
    "UTC",
    [tuesday, morning],
    "2027-03-02T00:00:00Z",
    "2027-03-03T00:00:00Z",
    ["2027-03-02 540", "2027-03-02 1140"],
  ],
  [
    "a time before the start and one that begins at the end are left out",
    "UTC",
    [tuesday, morning],
    "2027-03-02T09:01:00Z",
    "2027-03-09T19:00:00Z",
    ["2027-03-02 1140", "2027-03-09 540"],
  ],
  [
    "a change of the clock moves no session",
    "Europe/Berlin",
    [tuesday],
    "2027-03-23T18:00:00Z",
    "2027-03-30T18:00:00Z",
    ["2027-03-23 1140", "2027-03-30 1140"],
  ],
  [
    "a time that the clock skips or shows twice stays in the schedule once",
    "Europe/Berlin",
    [sunday],
    "2027-03-27T00:00:00Z",
    "2027-11-01T00:00:00Z",
    // The clock skips 2 o'clock on 28 March, and shows it twice on 31 October.
    Array.from(
      { length: 32 },
      (_, week) => `${new Date(Date.UTC(2027, 2, 28 + 7 * week)).toISOString().slice(0, 10)} 90`,
    ),
  ],
  [
    "midnight of the zone, not of UTC, divides the days",
    "Pacific/Auckland",
    [{ "weekday": 2, "starts-at": 0, "ends-at": 60 }],
    "2027-03-01T11:00:00Z",
    "2027-03-02T11:00:00Z",
    ["2027-03-02 0"],
  ],
  [
    "29 February",
    "UTC",
    [tuesday],
    "2028-02-28T00:00:00Z",
    "2028-03-01T00:00:00Z",
    ["2028-02-29 1140"],
  ],
  ["no time in a short term", "UTC", [tuesday], "2027-03-03T00:00:00Z", "2027-03-08T00:00:00Z", []],
];

for (const [what, zone, schedule, starts, ends, expected] of cases)
  test(what, () => {
    const [from, until] = [starts, ends].map((at) => wallTime(Date.parse(at), zone));
    assert.ok(from && until);
    const sessions = sessionsBetween(schedule, { from, until, max: 501 });
    assert.deepEqual(
      sessions.map(({ date, starts_at }) => `${date} ${starts_at}`),
      expected,
    );
  });

test("a term of two thousand years ends at the maximum", () => {
  const from = { date: "1000-01-01", minute: 0 };
  const until = { date: "2999-12-31", minute: 0 };
  assert.equal(sessionsBetween([tuesday, morning], { from, until, max: 501 }).length, 501);
});
