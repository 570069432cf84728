import { newId } from "../../src/base/ids.ts";
import type { Db } from "../../src/store/db.ts";
import { makePerson, makeRow, type TestAccount } from "../support/make.ts";
import { mergeOf } from "../support/merges.ts";
import type { Judged } from "./budgets.ts";
import { ServerChild } from "./child.ts";
import { median } from "./routes.ts";

const ORIGIN = "http://localhost";
const ATTENDANCES = 10_000;
const MERGES = 7;
const MERGE_MS = 1_000;

/** Merges of a person with many attendances. Each merge passes them to the next person. */
export async function benchMerge(
  { databaseUrl, db, say }: { databaseUrl: string; db: Db; say: (line: string) => void },
  account: TestAccount,
): Promise<Judged[]> {
  say(`${ATTENDANCES} attendances …`);
  const first = await makePerson(db, account.id);
  await addAttendances(db, account, first.id);
  const service = new ServerChild("./service.ts");
  try {
    await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
    const taken: number[] = [];
    for (let removed = first.id, merge = 0; merge < MERGES; merge += 1) {
      const kept = (await makePerson(db, account.id)).id;
      taken.push(await timeMerge(service, account, kept, removed));
      removed = kept;
    }
    return [
      {
        what: "merge of a person with 10,000 attendances: ms",
        value: median(taken),
        budget: { below: MERGE_MS },
      },
    ];
  } finally {
    await service.stop();
  }
}

async function addAttendances(db: Db, account: TestAccount, personId: string): Promise<void> {
  const cell = await makeRow(db, "cells", account.id, { name: "Weekly for centuries" });
  const meetings = Array.from({ length: ATTENDANCES }, (_, week) => ({
    meeting: newId(),
    attendance: newId(),
    week,
  }));
  await db`
    with one as (
      select * from json_to_recordset(${JSON.stringify(meetings)}::text::json)
        as one (meeting uuid, attendance uuid, week int)
    ), meeting as (
      insert into cell_meetings (account_id, id, cell_id, date)
      select ${account.id}, meeting, ${cell}, date '1800-01-01' + week * 7 from one
      returning id, date
    )
    insert into cell_attendances (account_id, id, cell_id, meeting_id, person_id, date, status)
    select ${account.id}, one.attendance, ${cell}, meeting.id, ${personId}, meeting.date, 'present'
    from meeting join one on one.meeting = meeting.id`;
  await db`vacuum analyze`;
}

async function timeMerge(
  { port }: ServerChild,
  { administrator }: TestAccount,
  kept: string,
  removed: string,
): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/person-merges`, {
    method: "POST",
    headers: {
      "Origin": ORIGIN,
      "Authorization": `Bearer ${administrator.token}`,
      "Content-Type": "application/vnd.api+json",
    },
    body: JSON.stringify(mergeOf(kept, [removed])),
  });
  const text = await answer.text();
  const took = performance.now() - startedAt;
  if (answer.status !== 201) throw new Error(text);
  return took;
}
