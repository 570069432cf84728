import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { importSteps } from "../../src/features/imports/queue.ts";
import { csv, importing } from "../support/imports.ts";
import { spawnVestry } from "../support/command.ts";
import { testServices, until, workOn } from "../support/queues.ts";
import { many, one, startService } from "../support/service.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/store/embedded.ts";

const service = await startService();
after(() => service.stop());
const { account, database, db } = service;

const directory = await mkdtemp(join(tmpdir(), "vestry-killed-import-"));
after(() => rm(directory, { recursive: true, force: true }));

const ROWS = 2_000;

test("a worker that is killed in the middle of a run leaves whole batches, and another one writes the rest once", async () => {
  const imports = importing(service, after, { works: false });
  const { id } = one(await imports.create({ mapping: { Name: "full-name", Mail: "email" } }));
  const names = Array.from({ length: ROWS }, (_, n) => [`Person ${n}`, `p${n}@killed.example`]);
  await imports.upload(id, csv(["Name", "Mail"], ...names));

  const worker = spawnVestry(["serve", "--role", "worker"], {
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    METRICS_PORT: "off",
    LOG_LEVEL: "fatal",
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
  });
  after(() => worker.kill("SIGKILL"));
  await imports.settled(id);
  assert.equal((await imports.act("import-runs", id)).status, 202);
  const written = async () => {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from import_rows where import_job_id = ${id} and outcome = 'written'`;
    return row?.count ?? 0;
  };
  await until(async () => ((await written()) > 0 ? true : undefined));
  // The job is locked, so the worker dies inside a batch.
  await db.begin(async (tx) => {
    await tx`select from import_jobs where id = ${id} for update`;
    worker.kill("SIGKILL");
    await once(worker, "exit");
  });
  const half = await written();
  assert.ok(half > 0 && half < ROWS, `${half} rows`);

  // pg-boss retries the job of a lost worker after a minute. The test does not wait for that.
  await db`update pgboss.job set state = 'retry', start_after = now() where name = 'import-steps' and state = 'active'`;
  workOn({ after } as Parameters<typeof workOn>[0], database, [importSteps], testServices());
  const { job } = await imports.settled(id);
  assert.equal(job.attributes["status"], "done");
  assert.equal((job.attributes["counts"] as Record<string, number>)["written"], ROWS);
  const [people] = await db`
    select count(*)::int as count, count(distinct email)::int as emails from people
    where account_id = ${account.id} and email like '%@killed.example'`;
  assert.deepEqual([people?.["count"], people?.["emails"]], [ROWS, ROWS]);
  const [found] = many(await service.get("/v1/people?filter[q]=p1999@killed.example"));
  assert.equal(found?.attributes["full-name"], "Person 1999");
});
