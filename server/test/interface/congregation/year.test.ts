import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Die, seedOf } from "../../../src/sample-data/random.ts";
import { document, many, one, type Resource, startService } from "../../support/service.ts";

/**
 * A year of a congregation over the interface: 300 people, 20 cells in three levels, a report every other week, two merges, one
 * multiplication and one closing. The test keeps its own books and compares them with the service's totals.
 */

const service = await startService();
after(() => service.stop());

const WEEKS = 52;
const today = await service.db<{ today: string }[]>`select current_date::text as today`;
const dayBefore = (days: number): string => {
  const start = Date.parse(`${today[0]?.today}T00:00:00Z`);
  return new Date(start - days * 86_400_000).toISOString().slice(0, 10);
};
/** The first meeting is a year ago, the last one six days ago. */
const dateOf = (week: number): string => dayBefore((WEEKS - week) * 7 - 1);

const to = (type: string, id: string) => ({ data: { type, id } });
const create = async (
  type: string,
  attributes: Record<string, unknown>,
  relationships: Record<string, unknown> = {},
): Promise<Resource> => {
  const answer = await service.post(`/v1/${type}`, document(type, attributes, { relationships }));
  assert.equal(answer.status, 201, `${type} ${answer.text}`);
  return one(answer);
};
const change = async (type: string, id: string, attributes: Record<string, unknown>) => {
  const answer = await service.patch(`/v1/${type}/${id}`, document(type, attributes, { id }));
  assert.equal(answer.status, 200, `${type} ${answer.text}`);
  return one(answer);
};
const total = async (path: string): Promise<number> => {
  const answer = await service.get(path);
  assert.equal(answer.status, 200, `${path} ${answer.text}`);
  return answer.document.meta?.["total"] as number;
};
/** Every page of a list. */
async function all(path: string): Promise<Resource[]> {
  const found: Resource[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await service.get(`${path}&page[number]=${page}&page[size]=100`);
    assert.equal(answer.status, 200, `${path} ${answer.text}`);
    found.push(...many(answer));
    if (many(answer).length < 100) return found;
  }
}

/** The books: the cells with their members, and every row of every report. */
interface Cell {
  id: string;
  name: string;
  sector: string;
  members: Set<string>;
  reports: Map<number, Report>;
}
interface Report {
  held: boolean;
  present: Set<string>;
  visitors: number;
  members: number;
}

const die = new Die(seedOf("year"), "year", 0, 0);
const cells: Cell[] = [];
const people: string[] = [];
const memberships = new Map<string, string>();
let prospects = 0;

const inTurns = async <T>(items: readonly T[], act: (item: T) => Promise<void>) => {
  for (let from = 0; from < items.length; from += 16)
    await Promise.all(items.slice(from, from + 16).map(act));
};

async function join(cell: Cell, person: string, role: string, joinedOn: string): Promise<void> {
  const { id } = await create(
    "cell-memberships",
    { "cell-role": role, "joined-on": joinedOn },
    { cell: to("cells", cell.id), person: to("people", person) },
  );
  cell.members.add(person);
  memberships.set(`${cell.id} ${person}`, id);
}

async function report(cell: Cell, week: number): Promise<void> {
  const relationships = { cell: to("cells", cell.id) };
  const date = dateOf(week);
  if (die.chance(0.05)) {
    const reason = { "not-held-reason": "Rain" };
    await create("cell-meetings", { date, status: "not-held", ...reason }, relationships);
    cell.reports.set(week, { held: false, present: new Set(), visitors: 0, members: 0 });
    return;
  }
  const members = cell.members.size;
  const present = new Set([...cell.members].filter(() => die.chance(0.75)));
  const absent = [...cell.members].filter((person) => !present.has(person) && die.chance(0.5));
  const guests = die.chance(0.1) ? 1 : 0;
  const meeting = await create(
    "cell-meetings",
    {
      date,
      "status": "held",
      "attendance": [
        ...[...present].map((person) => ({ "person-id": person, "status": "present" })),
        ...absent.map((person) => ({ "person-id": person, "status": "absent" })),
      ],
      "visitors": Array.from({ length: guests }, () => ({
        "full-name": `Guest of ${cell.name} ${week}`,
      })),
    },
    relationships,
  );
  prospects += guests;
  assert.equal(meeting.attributes["present-count"], present.size + guests);
  assert.equal(meeting.attributes["members-count"], members);
  cell.reports.set(week, { held: true, present, visitors: guests, members });
}

test("the totals of a year are those that the test computes", async () => {
  const area = await create("cells", { "name": "Area", "cell-type": "supervision", "level": 2 });
  const sectors: Resource[] = [];
  for (const name of ["North", "South", "East"])
    sectors.push(
      await create(
        "cells",
        { name, "cell-type": "supervision", "level": 1 },
        { parent: to("cells", area.id) },
      ),
    );
  for (let n = 0; n < 16; n += 1) {
    const sector = sectors[n % 3]?.id ?? "";
    const name = `Cell ${n + 1}`;
    const attributes = { name, "frequency": "irregular", "opened-at": `${dateOf(0)}T00:00:00Z` };
    const { id } = await create("cells", attributes, { parent: to("cells", sector) });
    cells.push({ id, name, sector, members: new Set(), reports: new Map() });
  }
  const names = Array.from({ length: 300 }, (_, n) => `Person ${n + 1}`);
  await inTurns(names, async (name) => {
    people.push((await create("people", { "full-name": name })).id);
  });
  await inTurns(
    people.map((person, n) => [person, n] as const),
    async ([person, n]) => {
      const cell = cells[n % 20];
      // Sixty people have no cell.
      if (cell && n % 20 < 16)
        await join(cell, person, n < 20 ? "leader" : "participant", dateOf(0));
    },
  );

  for (let week = 1; week <= WEEKS; week += 2) {
    // A member moves from one cell to another between two meetings.
    if (week % 5 === 0) {
      const [from, into] = [cells[week % 16] as Cell, cells[(week + 3) % 16] as Cell];
      const person = [...from.members].at(-1) as string;
      const membership = memberships.get(`${from.id} ${person}`) ?? "";
      const left = { "status": "left", "left-on": dayBefore((WEEKS - week) * 7 + 4) };
      await change("cell-memberships", membership, { ...left, "left-reason": "moved-cell" });
      from.members.delete(person);
      if (!into.members.has(person))
        await join(into, person, "participant", dayBefore((WEEKS - week) * 7 + 3));
    }
    await inTurns(
      // Two cells forget a report now and then.
      cells.filter((_, n) => !(n < 2 && week % 13 === 0)),
      (cell) => report(cell, week),
    );
  }

  await compare(area.id);

  // Two people are the same person, of the same cell and of two cells.
  const [one1, two] = cells as [Cell, Cell];
  const [keptA, removedA] = [...one1.members].slice(2, 4) as [string, string];
  await merge(keptA, removedA);
  const keptB = [...one1.members].at(-1) as string;
  const removedB = [...two.members].at(-1) as string;
  await merge(keptB, removedB);
  await compare(area.id);

  const parent = cells[4] as Cell;
  const moving = [...parent.members].slice(0, 5);
  const multiplication = await create(
    "cell-multiplications",
    { "new-cell": { "name": "Cell 5 II" } },
    {
      "parent-cell": to("cells", parent.id),
      "members": { data: moving.map((id) => ({ type: "people", id })) },
      "leaders": { data: [{ type: "people", id: moving[0] }] },
    },
  );
  await change("cell-multiplications", multiplication.id, { status: "approved" });
  for (const person of moving) parent.members.delete(person);
  assert.equal(
    await total(`/v1/cell-memberships?filter[status]=active&filter[cell]=${parent.id}`),
    activeIn(parent),
  );

  const [closed, open] = [cells[7] as Cell, cells[8] as Cell];
  await create(
    "cell-closings",
    { "closing-reason": "The house was sold" },
    { "cell": to("cells", closed.id), "moved-to": to("cells", open.id) },
  );
  for (const person of closed.members) open.members.add(person);
  closed.members.clear();
  for (const cell of cells) {
    const shown = one(await service.get(`/v1/cells/${cell.id}`)).attributes;
    assert.equal(shown["members-count"], cell.members.size, cell.name);
    assert.equal(shown["status"], cell === closed ? "closed" : "active", cell.name);
  }
  assert.equal(await total("/v1/people"), 300 - 2 + prospects + 1);
});

/** Visitors of a report are active memberships, but not members. */
const visitorsIn = (cell: Cell): number =>
  [...cell.reports.values()].reduce((sum, { visitors }) => sum + visitors, 0);
const activeIn = (cell: Cell): number => cell.members.size + visitorsIn(cell);

async function merge(kept: string, removed: string): Promise<void> {
  await create(
    "person-merges",
    {},
    { kept: to("people", kept), removed: { data: [{ type: "people", id: removed }] } },
  );
  for (const cell of cells) {
    if (cell.members.delete(removed)) cell.members.add(kept);
    for (const { present } of cell.reports.values()) if (present.delete(removed)) present.add(kept);
  }
}

async function compare(area: string): Promise<void> {
  // A quarter of the attendances of the network.
  const [from, until] = [14, 26];
  const rows = await all(
    `/v1/cell-attendances?filter[tree]=${area}&filter[from]=${dateOf(from)}&filter[to]=${dateOf(until)}&filter[status]=present`,
  );
  const expected = cells.flatMap((cell) =>
    [...cell.reports].flatMap(([week, { present, visitors }]) =>
      week >= from && week <= until ? Array.from({ length: present.size + visitors }) : [],
    ),
  );
  assert.equal(rows.length, expected.length);

  // The same weeks, summed by the service.
  const summaries = await all(
    `/v1/cell-report-summaries?filter[tree]=${area}&filter[from]=${dateOf(from)}&filter[to]=${dateOf(until)}`,
  );
  const sum = (name: string) =>
    summaries.reduce((so, { attributes }) => so + Number(attributes[name]), 0);
  const reports = cells.flatMap((cell) =>
    [...cell.reports].flatMap(([week, one]) => (week >= from && week <= until ? [one] : [])),
  );
  const held = reports.filter((one) => one.held);
  assert.equal(sum("submitted"), reports.length);
  assert.equal(sum("expected"), reports.length);
  assert.equal(sum("held"), held.length);
  assert.equal(sum("present"), expected.length);
  assert.equal(
    sum("visitors"),
    held.reduce((so, { visitors }) => so + visitors, 0),
  );

  // The absences of one person without a break, up to today. The lack of a row is an absence.
  for (const cell of cells.slice(0, 4)) {
    const person = [...cell.members][0] as string;
    const path = `/v1/people/${person}?fields[people]=attendance-summary`;
    const summary = one(await service.get(path)).attributes["attendance-summary"] as Record<
      string,
      unknown
    >;
    const own = [...cell.reports].filter(([, one]) => one.held).toSorted(([a], [b]) => b - a);
    const streak = own.findIndex(([, { present }]) => present.has(person));
    assert.equal(summary["absent-streak"], streak === -1 ? own.length : streak, cell.name);
    const last = own.find(([, { present }]) => present.has(person))?.[0] ?? 0;
    assert.equal(summary["last-attended-at"], dateOf(last), cell.name);
  }
}
