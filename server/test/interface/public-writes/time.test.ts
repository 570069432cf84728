import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join, makeCell } from "../../support/cells.ts";
import { makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
import { makeForm, submit } from "../../support/public-forms.ts";
import { document, startService, type TestService } from "../../support/service.ts";
import { BEHIND_PROXY, openPublicArea, sendAsVisitor } from "../../support/visits.ts";

let service: TestService;
before(async () => {
  service = await startService({ ...BEHIND_PROXY, sendsMail: true });
  await openPublicArea(service.db, service.account.id, { "public-challenge": "none" });
});
after(() => service.stop());

const TIMES = 60;
const ROUNDS = 16;
const DIFFERENCE_MAX = 0.05;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Addresses that the account does not know, those of members, and those of members who have already asked. */
const kinds = ["unknown", "known", "asked"] as const;
type Times = Record<(typeof kinds)[number], number>;

/** Each kind follows each other one equally often. */
const orders = kinds.flatMap((first) =>
  kinds
    .filter((second) => second !== first)
    .map((second) => [first, second, ...kinds.filter((kind) => kind !== first && kind !== second)]),
);

/**
 * Compares the times of all kinds of addresses, turn by turn: the load of the machine changes from turn to turn, and is nearly
 * the same within one. Further rounds add to the measured turns. Noise becomes smaller with them, and a difference that the
 * service makes stays.
 */
async function assertSameTime(
  context: TestContext,
  send: (email: string) => Promise<{ status: number }>,
): Promise<void> {
  const { account, db } = service;
  const turns: Times[] = [];
  const rounds: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < TIMES; turn += 1) {
      await service.home`delete from counters`;
      const emails = {
        unknown: `${newId()}@church.example`,
        known: `${newId()}@church.example`,
        asked: `${newId()}@church.example`,
      };
      await makePerson(db, account.id, { email: emails.known });
      await makePerson(db, account.id, { email: emails.asked });
      await send(emails.asked);
      const times: Times = { unknown: 0, known: 0, asked: 0 };
      for (const kind of orders[turn % orders.length] ?? []) {
        const from = performance.now();
        assert.ok((await send(emails[kind])).status < 300);
        times[kind] = performance.now() - from;
      }
      turns.push(times);
    }
    const base = median(turns.map(({ unknown }) => unknown));
    const known = median(turns.map((times) => times.known - times.unknown));
    const asked = median(turns.map((times) => times.asked - times.unknown));
    rounds.push(
      `${base.toFixed(2)} ms for unknown addresses, ${known.toFixed(2)} ms more for known ones, ${asked.toFixed(2)} ms more for those that have asked`,
    );
    if (Math.max(Math.abs(known), Math.abs(asked)) <= base * DIFFERENCE_MAX) {
      context.diagnostic(`Medians: ${rounds.join("; ")}.`);
      return;
    }
  }
  assert.fail(`The medians differ: ${rounds.join("; ")}.`);
}

const contactOf = (email: string) => ({ "full-name": "Ana Lima", email });

const ask = (type: string, place: Record<string, unknown>, email: string) =>
  sendAsVisitor(
    service,
    service.account.id,
    type,
    document(type, { contact: contactOf(email), consent: true }, { relationships: place }),
  );

test("202 · a request to join takes the same time for all addresses", async (context) => {
  const { account, db } = service;
  // The event of a request that is counted as the first would take time.
  await makeEndpoint(db, account.id, { events: ["cell-join-request.created"] });
  const id = await makeCell(db, account.id, { is_public: true });
  const leader = await makePerson(db, account.id, { email: "leader@church.example" });
  await join(db, account.id, id, leader.id, { cell_role: "leader" });
  const place = { cell: { data: { type: "cells", id } } };
  await assertSameTime(context, (email) => ask("cell-join-requests", place, email));
});

test("202 · a request to enroll takes the same time for all addresses", async (context) => {
  const { account, db } = service;
  const course = { name: "Foundations", is_public: true };
  const row = {
    course_id: await makeRow(db, "courses", account.id, course),
    name: "Tuesdays",
    status: "open",
    is_public: true,
  };
  const id = await makeRow(db, "course_classes", account.id, row);
  const place = { class: { data: { type: "course-classes", id } } };
  await assertSameTime(context, (email) => ask("course-enrollment-requests", place, email));
});

test("201 · a submission takes the same time for all addresses", async (context) => {
  const id = await makeForm(service, { "confirmation-email": true });
  await assertSameTime(context, (email) => submit(service, id, { answers: contactOf(email) }));
});
