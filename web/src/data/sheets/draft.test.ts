import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sheet, SheetRow, StoredReport } from "../meetings.ts";
import {
  addTypedVisitor,
  attributesOf,
  contradictionsOf,
  countsOf,
  draftOf,
  emptyDraft,
  isStored,
  markAll,
  mergeReports,
  reportedSheet,
  toggle,
  withMark,
  withPeople,
} from "./draft.ts";

const row = (personId: string, changes: Partial<SheetRow> = {}): SheetRow => ({
  personId,
  fullName: personId,
  preferredName: null,
  photo: null,
  phone: null,
  isWhatsapp: false,
  isMember: true,
  hasRow: false,
  ...changes,
});

const rows = [row("ana"), row("bia"), row("carl"), row("vera", { isMember: false })];

const stored: StoredReport = {
  meetingId: "m",
  etag: '"1"',
  status: "held",
  isSubmitted: true,
  notHeldReason: null,
  visitorsCount: 3,
  childrenCount: 2,
  theme: "Hope",
  summary: null,
  rows: [
    {
      personId: "ana",
      fullName: "ana",
      status: "present",
      isVisitor: false,
      firstTime: false,
      note: null,
    },
    {
      personId: "bia",
      fullName: "bia",
      status: "excused",
      isVisitor: false,
      firstTime: false,
      note: "ill",
    },
    {
      personId: "carl",
      fullName: "carl",
      status: "absent",
      isVisitor: false,
      firstTime: false,
      note: null,
    },
    {
      personId: "vera",
      fullName: "vera",
      status: "present",
      isVisitor: true,
      firstTime: true,
      note: null,
    },
  ],
};

test("All came never changes a mark and leaves visitors alone", () => {
  const draft = markAll(withMark(emptyDraft, "bia", "excused"), rows);
  assert.deepEqual(draft.marks, { ana: "present", bia: "excused", carl: "present" });
});

test("a second tap takes the mark away", () => {
  assert.deepEqual(toggle(toggle(emptyDraft, "ana"), "ana").marks, {});
  assert.deepEqual(toggle(withMark(emptyDraft, "ana", "online"), "ana").marks, {});
});

test("members without a mark are missing, and excused people are counted apart", () => {
  const draft = { ...withMark(toggle(emptyDraft, "ana"), "bia", "excused"), unnamedVisitors: 2 };
  assert.deepEqual(countsOf(toggle(draft, "vera"), rows), {
    members: 3,
    came: 1,
    excused: 1,
    missing: 1,
    visitors: 3,
  });
});

test("a report names every member, and visitors only with a mark or an earlier row", () => {
  const named = (candidates: SheetRow[]) =>
    attributesOf(toggle(emptyDraft, "ana"), candidates).attendance?.map(
      (entry) => `${entry["person-id"]} ${entry.status}`,
    );
  assert.deepEqual(named(rows), ["ana present", "bia absent", "carl absent"]);
  assert.deepEqual(named([row("vera", { isMember: false, hasRow: true })]), ["vera absent"]);
});

test("a meeting that did not take place has a reason and no attendance", () => {
  assert.deepEqual(attributesOf({ ...emptyDraft, isHeld: false, notHeldReason: " Storm " }, rows), {
    "status": "not-held",
    "not-held-reason": "Storm",
  });
});

test("opening and sending a stored report changes nothing", () => {
  const withRows = rows.map((one) => ({ ...one, hasRow: true }));
  const draft = draftOf(stored);
  assert.equal(draft.unnamedVisitors, 2);
  assert.ok(isStored(attributesOf(draft, withRows), stored));
  assert.ok(!isStored(attributesOf(toggle(draft, "carl"), withRows), stored));
  assert.ok(!isStored(attributesOf({ ...draft, theme: "Joy" }, withRows), stored));
});

const sheet: Sheet = {
  meetingId: undefined,
  cellId: "north",
  cellName: "North",
  date: "2026-11-18",
  reportStatus: "due",
  submittedAt: null,
  mayReport: true,
  report: undefined,
  rows,
  readAt: "2026-11-18T20:00:00Z",
};

const answer = { meetingId: "m", etag: '"2"', at: "2026-11-18T20:05:00Z" };

test("what was sent is the sheet at once, and opens for a correction as it was sent", () => {
  const draft = {
    ...withMark(markAll(emptyDraft, rows), "bia", "excused"),
    notes: { bia: "ill" },
    visitors: [{ "full-name": "Rui", phone: "+351912345678" }],
    unnamedVisitors: 1,
    children: 4,
    theme: "Hope",
  };
  const attributes = attributesOf(draft, rows);
  const reported = reportedSheet(sheet, attributes, answer);
  const { meetingId, report, reportStatus, submittedAt } = reported;
  assert.deepEqual([meetingId, reportStatus, submittedAt], ["m", "submitted", answer.at]);
  assert.ok(report);
  assert.equal(report.etag, answer.etag);
  assert.ok(isStored(attributes, report));
  assert.deepEqual(draftOf(report), {
    ...draft,
    visitors: [{ "full-name": "Rui", phone: null }],
  });
  assert.deepEqual(
    reported.rows.map(({ hasRow }) => hasRow),
    [true, true, true, false],
  );
});

test("a report that the group did not meet leaves no rows", () => {
  const before = { ...sheet, report: stored, rows: rows.map((one) => ({ ...one, hasRow: true })) };
  const attributes = attributesOf({ ...emptyDraft, isHeld: false, notHeldReason: "Storm" }, rows);
  const { report, rows: after } = reportedSheet(before, attributes, answer);
  assert.ok(report && isStored(attributes, report));
  assert.deepEqual(report.rows, []);
  assert.ok(after.every(({ hasRow }) => !hasRow));
});

test("visitors of a draft who have become people are marked, and not added twice", () => {
  const draft = {
    ...toggle(emptyDraft, "ana"),
    visitors: ["Rui", "Vera"].map((name) => ({ "full-name": name, phone: null })),
  };
  const read = [...rows, row("rui-id", { fullName: "Rui", isMember: false, hasRow: true })];
  const linked = withPeople(draft, read);
  assert.deepEqual(linked.marks, { "ana": "present", "rui-id": "present" });
  assert.deepEqual(linked.visitors, [{ "full-name": "Vera", phone: null }]);
  assert.equal(withPeople(draft, rows), draft);
});

test("of two reports, theirs stands where mine has no mark", () => {
  const mine = {
    ...withMark(toggle(emptyDraft, "carl"), "bia", "present"),
    visitors: ["vera", "Rui"].map((name) => ({ "full-name": name, phone: null })),
  };
  assert.deepEqual(mergeReports(mine, stored).visitors, [{ "full-name": "Rui", phone: null }]);
  assert.deepEqual(mergeReports(mine, stored).marks, {
    ana: "present",
    bia: "present",
    carl: "present",
    vera: "present",
  });
});

test("in a group of more than 300, a report names only people with a mark or a row", () => {
  const many = Array.from({ length: 301 }, (_, index) => row(`p${index}`, { hasRow: index === 1 }));
  const { attendance } = attributesOf(toggle(emptyDraft, "p0"), many);
  assert.deepEqual(
    attendance?.map((entry) => [entry["person-id"], entry.status]),
    [
      ["p0", "present"],
      ["p1", "absent"],
    ],
  );
});

test("two reports of one meeting show every contradiction, and nothing that only one of them says", () => {
  const theirs = draftOf(stored);
  const mine = {
    ...theirs,
    theme: "Faith",
    summary: "Short",
    unnamedVisitors: theirs.unnamedVisitors + 1,
    marks: { ...theirs.marks, carl: "present" as const },
    notes: { bia: "on the way" },
  };
  const found = contradictionsOf(mine, theirs, rows);
  assert.deepEqual(found.fields, ["theme", "unnamedVisitors"]);
  assert.deepEqual(found.marks, [rows[2]]);
  assert.deepEqual(found.notes, [rows[1]]);

  const storm = { ...emptyDraft, isHeld: false, notHeldReason: "Storm" };
  assert.deepEqual(contradictionsOf(storm, theirs, rows), {
    fields: ["isHeld"],
    marks: [],
    notes: [],
  });
  assert.equal(mergeReports(storm, stored).isHeld, true);
});

test("a visitor who stands in the fields is added with the report, and fields without a name add nobody", () => {
  const typed = { "full-name": " Olga ", phone: "" };
  const draft = { ...emptyDraft, typedVisitor: typed };
  assert.deepEqual(addTypedVisitor(draft).visitors, [{ "full-name": "Olga", phone: null }]);
  const nameless = { ...draft, typedVisitor: { "full-name": " ", phone: "" } };
  assert.deepEqual(addTypedVisitor(nameless), emptyDraft);
});
