import type { TestContext } from "node:test";
import { SECOND } from "../../src/base/clock.ts";
import { describedCatalogue } from "../../src/catalogue.ts";
import { CustomFieldsCache } from "../../src/features/accounts/custom-fields-cache.ts";
import { startJobs } from "../../src/jobs/jobs.ts";
import type { Queue } from "../../src/jobs/queues.ts";
import type { Services } from "../../src/jsonapi/definition/feature.ts";
import { noFiles } from "../../src/store/files/files.ts";
import type { FreshDatabase } from "./database.ts";
import { pause } from "./pause.ts";
import { PUBLIC_URL } from "./service.ts";

/** As often as pg-boss allows. */
const POLL_SECONDS = 0.5;

/** Works on queues until the test ends. Returns the function that stops it earlier. */
export function workOn<Given>(
  context: Pick<TestContext, "after">,
  { db, url }: Pick<FreshDatabase, "db" | "url">,
  queues: readonly Queue<Given>[],
  services: Given,
): () => Promise<void> {
  const stop = startJobs({
    databaseUrl: url,
    db,
    jobs: [],
    queues: queues.map((queue) => ({ ...queue, pollSeconds: POLL_SECONDS })),
    services,
    name: "test-queues",
    delayMs: 0,
    stopMsMax: SECOND,
  });
  context.after(stop);
  return stop;
}

/**
 * Runs the waiting jobs of an account in this process. A worker of pg-boss looks for jobs twice a second at most, so tests of what
 * a job does would mostly wait for it.
 */
export async function workOff<Given, Data extends object>(
  { db }: Pick<FreshDatabase, "db">,
  accountId: string,
  { name, run }: Pick<Queue<Given, Data>, "name" | "run">,
  services: Given,
): Promise<void> {
  const jobs = await db<{ id: string; data: Data }[]>`
    delete from pgboss.job where name = ${name} and state = 'created' and data ->> 'accountId' = ${accountId}
    returning id, data`;
  const { signal } = new AbortController();
  for (const { data, id: jobId } of jobs)
    await run({ ...services, db, jobId, isLastTry: false, signal }, data);
}

/** Repeats `look` until it returns something. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await pause();
  }
}

/** The parts of the installation that queued jobs use, without outgoing mail. */
export const testServices = (): Services => {
  const fields = new CustomFieldsCache();
  return {
    catalogue: describedCatalogue,
    mailer: undefined,
    publicUrl: PUBLIC_URL,
    appUrl: "https://app.church.example",
    files: noFiles,
    customFieldsOf: fields.read,
    lockCustomFields: fields.lock,
  };
};
