import assert from "node:assert/strict";
import { after, test } from "node:test";
import { takeStep } from "../../../src/features/imports/steps/queue.ts";
import { csv, importing } from "../../support/imports.ts";
import { testServices } from "../../support/queues.ts";
import { one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const imports = importing(service, after, { works: false });

const ROWS = 400;

/** Takes the present step of a job, as a worker does. */
const step = (importJobId: string) =>
  takeStep(
    { ...testServices(), db },
    { accountId: account.id, importJobId, actorId: account.administrator.id },
  );

test("two imports of the same people at once write each person, household and tag once", async () => {
  const rows = Array.from({ length: ROWS }, (_, n) => [
    `Person ${n}`,
    `p${n}@parallel.example`,
    `Home ${n % 40}`,
    `Tag ${n % 7}`,
  ]);
  const mapping = { Name: "full-name", Mail: "email", Home: "household", Tag: "tag" };
  const jobs: string[] = [];
  for (const file of [rows, rows.toReversed()]) {
    const { id } = one(await imports.create({ mapping }));
    await imports.upload(id, csv(Object.keys(mapping), ...file));
    jobs.push(id);
  }
  await Promise.all(jobs.map(step));
  for (const id of jobs) assert.equal((await imports.act("import-runs", id)).status, 202);
  await Promise.all(jobs.map(step));

  const ended = await Promise.all(jobs.map((id) => imports.settled(id)));
  assert.deepEqual(
    ended.map(({ job }) => job.attributes["status"]),
    ["done", "done"],
  );
  const counts = ended.map(({ job }) => job.attributes["counts"] as Record<string, number>);
  assert.equal((counts[0]?.["written"] ?? 0) + (counts[1]?.["written"] ?? 0), ROWS);
  const errors = await db<{ code: string; count: number }[]>`
    select errors -> 0 ->> 'code' as code, count(*)::int from import_rows
    where account_id = ${account.id} and action = 'error' group by 1`;
  assert.deepEqual([...errors], [{ code: "already-exists", count: ROWS }]);
  const [stored] = await db`
    select (select count(*)::int from people where account_id = ${account.id} and email like '%@parallel.example') as people,
      (select count(*)::int from households where account_id = ${account.id}) as households,
      (select count(*)::int from household_memberships where account_id = ${account.id}) as members,
      (select count(*)::int from tags where account_id = ${account.id}) as tags`;
  assert.deepEqual(stored, { people: ROWS, households: 40, members: ROWS, tags: 7 });

  for (const id of jobs) assert.equal((await imports.act("import-undos", id)).status, 202);
  await Promise.all(jobs.map(step));
  const [left] = await db`
    select (select count(*)::int from people where account_id = ${account.id} and email like '%@parallel.example') as people,
      (select count(*)::int from household_memberships where account_id = ${account.id}) as members`;
  assert.deepEqual(left, { people: 0, members: 0 });
});
