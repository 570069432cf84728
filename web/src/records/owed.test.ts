import assert from "node:assert/strict";
import { test } from "node:test";
import type { WaitingReport } from "../data/reports.ts";
import { owedBy } from "./owed.ts";

const leader = (name: string, reach: object = {}) => ({ "id": name, "full-name": name, ...reach });
const meeting = (id: string, name: string, leaders: object[], status = "overdue") =>
  ({
    id,
    "date": `2026-11-${id}`,
    "report-status": status,
    "cell": { id: name, name, leaders },
  }) as never as WaitingReport;

test("each group is asked once, through the first leader who can be reached", () => {
  const reachable = leader("Bia", { email: "bia@mail.example" });
  const north = [leader("Ana"), reachable];
  const owed = owedBy([
    meeting("05", "North", north),
    meeting("06", "South", [leader("Caio")]),
    meeting("12", "North", north),
    meeting("13", "East", [], "due"),
    meeting("14", "West", []),
  ]);
  assert.deepEqual(
    owed.map(({ cell, leader: asked, meetings }) => [
      cell.name,
      asked?.["full-name"],
      meetings.map(({ date }) => date),
    ]),
    [
      ["North", "Bia", ["2026-11-05", "2026-11-12"]],
      ["South", "Caio", ["2026-11-06"]],
      ["West", undefined, ["2026-11-14"]],
    ],
  );
});
