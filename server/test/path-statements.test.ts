import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { connect } from "../src/store/db.ts";
import { median } from "./bench/routes.ts";
import { dayFromToday, makeCell, makeMember } from "./support/cells.ts";
import { attemptsFor, engineStage, makeLiveEndpoint } from "./support/engine.ts";
import { makePerson } from "./support/make.ts";
import { patient } from "./support/patience.ts";
import { ok } from "./support/receiver.ts";
import { type Answer, document, one, startService } from "./support/service.ts";
import { startWireCounter, type WireCounter, type WireCounts } from "./support/wire-counter.ts";

/** The statements and round trips of a change and of its delivery, held against the table in docs/benchmarks.md. */

/** A connection prepares a statement at its first use. */
const WARM_UPS = 4;
/** The median leaves out what the engine does by the clock. */
const COUNTED = 9;

const { endLater, newDatabase, newEngine, newReceiver } = engineStage();
const database = await newDatabase();
const [requests, deliveries] = [
  await startWireCounter(database.url),
  await startWireCounter(database.url),
];
for (const counter of [requests, deliveries]) endLater(() => counter.close());
const db = connect(requests.url, { name: "requests", ...patient });
const service = await startService({ database, db });
endLater(() => service.stop());
endLater(() => db.end());
const receiver = await newReceiver({ behaviour: ok });
newEngine(deliveries.url);
const { account } = service;

/** Prepares a request that is sent later. */
type Work = () => Promise<() => Promise<Answer>>;

const works: Readonly<Record<string, Work>> = {
  "a change of a person": async () => {
    const { id } = await makePerson(database.db, account.id);
    return () =>
      service.patch(`/v1/people/${id}`, document("people", { occupation: "Carpenter" }, { id }));
  },
  "a new person": async () => () =>
    service.post("/v1/people", document("people", { "full-name": "Ana Carpenter" })),
  "a report of a cell of three people": async () => {
    const cell = await makeCell(database.db, account.id);
    const attendance: object[] = [];
    for (const status of ["present", "excused", "absent"]) {
      const { id } = await makeMember(database.db, account.id, cell);
      attendance.push({ "person-id": id, status });
    }
    const date = await dayFromToday(database.db, account.id, 0);
    const relationships = { cell: { data: { type: "cells", id: cell } } };
    const planned = document("cell-meetings", { date }, { relationships });
    const { id } = one(await service.post("/v1/cell-meetings", planned));
    const report = document("cell-meetings", { attendance }, { id });
    return () => service.patch(`/v1/cell-meetings/${id}`, report);
  },
};

const medianOf = (all: readonly WireCounts[]): WireCounts => ({
  statements: median(all.map(({ statements }) => statements)),
  roundTrips: median(all.map(({ roundTrips }) => roundTrips)),
});

const rowOf = (title: string, { roundTrips, statements }: WireCounts) =>
  `| ${title} | ${statements} | ${roundTrips} |`;

async function writtenRows(): Promise<string[]> {
  const text = await readFile(new URL("../../docs/benchmarks.md", import.meta.url), "utf8");
  const [, table = ""] =
    /^\| Work \| Statements \| Round trips \|\n\|.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return table.trim().split("\n");
}

test("a change and its delivery take the statements and round trips that docs/benchmarks.md says", async () => {
  /** The counts of a work. `settled` resolves when all that it causes has happened. */
  const count = async (work: Work, counter: WireCounter, settled: () => Promise<unknown>) => {
    const all: WireCounts[] = [];
    for (let time = 0; time < WARM_UPS + COUNTED; time += 1) {
      const send = await work();
      const counts = await counter.countsOf(async () => {
        const isSettled = settled();
        const { status, text } = await send();
        assert.ok(status < 300, text);
        await isSettled;
      });
      if (time >= WARM_UPS) all.push(counts);
    }
    return medianOf(all);
  };
  const rows: string[] = [];
  for (const [title, work] of Object.entries(works))
    rows.push(rowOf(title, await count(work, requests, async () => undefined)));
  const events = ["person.created", "person.updated", "cell-meeting.reported"];
  await makeLiveEndpoint(database.db, account.id, { url: receiver.url, events });
  const delivered = () => attemptsFor(account.id);
  for (const [title, work] of Object.entries(works))
    rows.push(rowOf(`${title}, with an endpoint`, await count(work, requests, delivered)));
  const [change] = Object.values(works) as [Work];
  rows.push(rowOf("the delivery to that endpoint", await count(change, deliveries, delivered)));

  assert.deepEqual(
    await writtenRows(),
    rows,
    `The table in docs/benchmarks.md must be:\n${rows.join("\n")}`,
  );
});
