import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeCell } from "../../support/cells.ts";
import { makePerson } from "../../support/make.ts";
import { makeForm, submit } from "../../support/public-forms.ts";
import { document, startService, type TestService } from "../../support/service.ts";
import { BEHIND_PROXY, openPublicArea, sendAsVisitor } from "../../support/visits.ts";

let service: TestService;
before(async () => {
  service = await startService({ ...BEHIND_PROXY, sendsMail: true });
  await openPublicArea(service.db, service.account.id);
});
after(() => service.stop());

const PAIRS = 200;
const ROUNDS = 5;
const DIFFERENCE_MAX = 0.05;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Compares the times of known and unknown addresses, which take turns so that the load of the machine affects both. A difference
 * that the service makes appears in every round.
 */
async function assertSameTime(send: (email: string) => Promise<{ status: number }>): Promise<void> {
  const { account, db } = service;
  const differences: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      await db`delete from visit_counts where account_id = ${account.id}`;
      const known = `${newId()}@church.example`;
      await makePerson(db, account.id, { email: known });
      const kinds =
        pair % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
      for (const kind of kinds) {
        const email = kind === "known" ? known : `${newId()}@church.example`;
        const from = performance.now();
        assert.ok((await send(email)).status < 300);
        times[kind].push(performance.now() - from);
      }
    }
    const difference = Math.abs(median(times.known) / median(times.unknown) - 1);
    if (difference <= DIFFERENCE_MAX) return;
    differences.push(difference);
  }
  assert.fail(`The medians differ by ${differences.map((one) => one.toFixed(3)).join(", ")}.`);
}

test("202 · a request takes the same time for known and unknown addresses", async () => {
  const { account, db } = service;
  const cellId = await makeCell(db, account.id, { is_public: true });
  await assertSameTime(async (email) => {
    const attributes = { contact: { "full-name": "Ana Lima", email }, consent: true };
    const relationships = { cell: { data: { type: "cells", id: cellId } } };
    const body = document("cell-join-requests", attributes, { relationships });
    return sendAsVisitor(service, account.id, "cell-join-requests", body);
  });
});

test("201 · a submission takes the same time for known and unknown addresses", async () => {
  const id = await makeForm(service, { "confirmation-email": true });
  await assertSameTime((email) =>
    submit(service, id, { answers: { "full-name": "Ana Lima", email } }),
  );
});
