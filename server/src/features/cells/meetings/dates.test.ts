import assert from "node:assert/strict";
import { test } from "node:test";
import { meetingDates, type Schedule } from "./dates.ts";

const schedule = (more: Partial<Schedule>): Schedule => ({
  weekday: 3,
  frequency: "weekly",
  openedOn: "2026-01-01",
  recessFrom: null,
  recessTo: null,
  ...more,
});

const cases: [what: string, schedule: Schedule, from: string, until: string, dates: string[]][] = [
  [
    "weekly, both ends included",
    schedule({}),
    "2026-11-04",
    "2026-11-18",
    ["2026-11-04", "2026-11-11", "2026-11-18"],
  ],
  [
    "the first meeting is on the opening day if the weekday fits",
    schedule({ weekday: 4 }),
    "2025-12-01",
    "2026-01-08",
    ["2026-01-01", "2026-01-08"],
  ],
  ["Sundays are weekday 0", schedule({ weekday: 0 }), "2026-11-22", "2026-11-28", ["2026-11-22"]],
  [
    "fortnightly, counted from the first meeting over the end of a year",
    schedule({ frequency: "fortnightly", openedOn: "2025-12-17" }),
    "2025-12-01",
    "2026-01-31",
    ["2025-12-17", "2025-12-31", "2026-01-14", "2026-01-28"],
  ],
  [
    "fortnightly, from a week in which the cell does not meet",
    schedule({ frequency: "fortnightly", openedOn: "2025-12-17" }),
    "2026-01-02",
    "2026-01-20",
    ["2026-01-14"],
  ],
  [
    "fortnightly over a change of the clock",
    schedule({ frequency: "fortnightly", weekday: 0, openedOn: "2026-03-15" }),
    "2026-03-15",
    "2026-04-30",
    ["2026-03-15", "2026-03-29", "2026-04-12", "2026-04-26"],
  ],
  [
    "monthly, the second Wednesday",
    schedule({ frequency: "monthly", openedOn: "2026-01-08" }),
    "2026-01-01",
    "2026-04-30",
    ["2026-01-14", "2026-02-11", "2026-03-11", "2026-04-08"],
  ],
  [
    "monthly, a fifth Thursday means the last",
    schedule({ frequency: "monthly", weekday: 4, openedOn: "2026-01-29" }),
    "2026-01-01",
    "2026-05-31",
    ["2026-01-29", "2026-02-26", "2026-03-26", "2026-04-30", "2026-05-28"],
  ],
  [
    "monthly, a fourth Thursday is not the last",
    schedule({ frequency: "monthly", weekday: 4, openedOn: "2026-01-22" }),
    "2026-04-01",
    "2026-05-31",
    ["2026-04-23", "2026-05-28"],
  ],
  [
    "both days of a recess are without a meeting",
    schedule({ recessFrom: "2026-12-16", recessTo: "2026-12-30" }),
    "2026-12-09",
    "2027-01-06",
    ["2026-12-09", "2027-01-06"],
  ],
  [
    "a recess without an end goes on",
    schedule({ recessFrom: "2026-12-16" }),
    "2026-12-09",
    "2027-01-06",
    ["2026-12-09"],
  ],
  [
    "29 February of a leap year",
    schedule({ weekday: 2, frequency: "monthly", openedOn: "2028-01-25" }),
    "2028-02-01",
    "2028-02-29",
    ["2028-02-22"],
  ],
  ["nothing before the cell opens", schedule({}), "2025-11-01", "2025-12-31", []],
];

for (const [what, its, from, until, dates] of cases)
  test(what, () => assert.deepEqual(meetingDates(its, from, until), dates));
