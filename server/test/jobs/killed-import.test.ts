import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { importSteps } from "../../src/features/imports/steps/queue.ts";
import { freshDatabase } from "../support/database.ts";
import { csv, importing } from "../support/imports.ts";
import { testServices, workOn } from "../support/queues.ts";
import { type Answer, one, startService } from "../support/service.ts";

const service = await startService({
  database: await freshDatabase("workers take the jobs of every account"),
});
after(() => service.stop());
const { account, database, db } = service;

/** Three batches of an import. */
const ROWS = 900;
const imports = importing(service, after, { works: false });
const names = Array.from({ length: ROWS }, (_, n) => [
  `Person ${n}`,
  `p${n}@killed.example`,
  n % 10 === 0 ? `Home ${n % 100}` : "",
]);
const mapping = { Name: "full-name", Mail: "email", Home: "household" };
const { id } = one(await imports.create({ mapping }));
const script = fileURLToPath(new URL("killed-import-worker.ts", import.meta.url));

/** Begins a step, which kills its worker at the second batch, and lets another worker end it. Returns the job. */
async function killedIn(begin: Promise<Answer>, progress: "rows" | "written" | "undone") {
  const { status, text } = await begin;
  assert.equal(status, 202, text);
  const worker = spawn(process.execPath, [script, database.url], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  after(() => worker.kill("SIGKILL"));
  assert.deepEqual(await once(worker, "exit"), [null, "SIGKILL"]);
  const [half] = await db<{ done: number }[]>`
    select (counts ->> ${progress}::text)::int as done from import_jobs where id = ${id}`;
  assert.ok(half && half.done > 0 && half.done < ROWS, `${half?.done} rows`);

  // pg-boss retries the job of a lost worker after a minute. The test does not wait for that.
  await db`update pgboss.job set state = 'retry', start_after = now() where name = 'import-steps' and state = 'active'`;
  const stop = workOn(
    { after } as Pick<TestContext, "after">,
    database,
    [importSteps],
    testServices(),
  );
  const { job } = await imports.settled(id);
  await stop();
  return job.attributes;
}

const stored = async () => {
  const [row] = await db`
    select (select count(*)::int from import_rows where import_job_id = ${id}) as rows,
      count(*)::int as people, count(distinct email)::int as emails,
      (select count(*)::int from households where account_id = ${account.id}) as households
    from people where account_id = ${account.id} and email like '%@killed.example'`;
  return row;
};

const nothing = { "kept": 0, "skip": 0, "update": 0, "error": 0, "by-column": {} };

test("a dry run whose worker is killed begins again, and reports each row once", async () => {
  const file = csv(Object.keys(mapping), ...names);
  const { counts, status } = await killedIn(imports.upload(id, file), "rows");
  assert.equal(status, "ready");
  assert.deepEqual(counts, { ...nothing, rows: ROWS, create: ROWS, written: 0, undone: 0 });
  assert.deepEqual(await stored(), { rows: ROWS, people: 0, emails: 0, households: 0 });
});

test("a run whose worker is killed leaves whole batches, and another worker writes the rest once", async () => {
  const { counts, status } = await killedIn(imports.act("import-runs", id), "written");
  assert.equal(status, "done");
  assert.deepEqual(counts, { ...nothing, rows: ROWS, create: ROWS, written: ROWS, undone: 0 });
  assert.deepEqual(await stored(), { rows: ROWS, people: ROWS, emails: ROWS, households: 10 });
});

test("an undo whose worker is killed is continued to the first row", async () => {
  const { counts, status } = await killedIn(imports.act("import-undos", id), "undone");
  assert.equal(status, "undone");
  assert.deepEqual(counts, { ...nothing, rows: ROWS, create: ROWS, written: ROWS, undone: ROWS });
  assert.deepEqual(await stored(), { rows: ROWS, people: 0, emails: 0, households: 0 });
});
