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

const TIMES = 200;
const ROUNDS = 5;
const DIFFERENCE_MAX = 0.05;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Addresses that the account does not know, those of members, and those of members who have already asked. */
const kinds = ["unknown", "known", "asked"] as const;

/**
 * Compares the median times of all kinds of addresses, which take turns so that the load of the machine affects all. Further
 * rounds add to the measured times. Noise becomes smaller with them, and a difference that the service makes stays.
 */
async function assertSameTime(
  context: TestContext,
  send: (email: string) => Promise<{ status: number }>,
): Promise<void> {
  const { account, db } = service;
  const times = { unknown: [] as number[], known: [] as number[], asked: [] as number[] };
  const rounds: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < TIMES; turn += 1) {
      await db`delete from visit_counts where account_id = ${account.id}`;
      const emails = {
        unknown: `${newId()}@church.example`,
        known: `${newId()}@church.example`,
        asked: `${newId()}@church.example`,
      };
      await makePerson(db, account.id, { email: emails.known });
      await makePerson(db, account.id, { email: emails.asked });
      await send(emails.asked);
      for (const kind of [...kinds.slice(turn % 3), ...kinds.slice(0, turn % 3)]) {
        const from = performance.now();
        assert.ok((await send(emails[kind])).status < 300);
        times[kind].push(performance.now() - from);
      }
    }
    const medians = [median(times.unknown), median(times.known), median(times.asked)];
    const [base = 0, ...others] = medians;
    rounds.push(medians.map((one) => `${one.toFixed(2)} ms`).join(", "));
    if (others.every((one) => Math.abs(one / base - 1) <= DIFFERENCE_MAX)) {
      context.diagnostic(`The medians of ${kinds.join(", ")}: ${rounds.join("; ")}.`);
      return;
    }
  }
  assert.fail(`The medians of ${kinds.join(", ")} differ: ${rounds.join("; ")}.`);
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
