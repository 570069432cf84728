import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "../../src/app/config.ts";
import { startService } from "../../src/app/service.ts";
import { freePort } from "../../src/store/embedded.ts";
import { freshDatabase } from "../support/database.ts";
import { assertNoContradictions } from "../support/sample-data.ts";

/** The demo account, as the people whose log-ins the first start prints see it. */

const directory = await mkdtemp(join(tmpdir(), "vestry-demo-"));
const database = await freshDatabase("the demo account belongs to an empty database");
const config = readConfig({
  DATABASE_URL: database.url,
  DATA_DIR: directory,
  PORT: String(await freePort()),
  METRICS_PORT: "off",
  LOG_LEVEL: "silent",
});
const service = await startService({ config, role: "api", say: () => undefined });
after(async () => {
  await service.stop("tested");
  await database.close();
  await rm(directory, { recursive: true });
});
const demo = service.demo ?? assert.fail("There is a demo account");

interface Answer {
  access_token: string;
  data: { id: string; attributes: Record<string, unknown> }[];
  meta: { total: number };
}

/** Calls the interface with the log-in of this standing. */
async function as(standing: RegExp) {
  const login = demo.logins.find((one) => standing.test(one.standing)) ?? assert.fail();
  const client = { "X-SVC-API-Token": demo.integration.clientToken };
  const { access_token } = await answerTo("/authenticate", {
    method: "POST",
    headers: { ...client, "Content-Type": "application/json" },
    body: JSON.stringify({
      username: login.email,
      password: login.password,
      account: demo.alias,
    }),
  });
  const headers = { ...client, Authorization: `Bearer ${access_token}` };
  return (path: string) => answerTo(path, { headers });
}

async function answerTo(path: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(`${service.url}${path}`, request);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Answer;
}

const total = async (answer: Promise<Answer>) => (await answer).meta.total;

test("no row of the demo account contradicts another one", () =>
  assertNoContradictions(database.db));

test("there are twelve cells in three levels, and one of them is closed", async () => {
  const get = await as(/^full administrator/);
  const cells = (filter: string) => total(get(`/v1/cells?${filter}&page[size]=1`));
  assert.equal(await cells("filter[cell-type]=cell"), 12);
  assert.equal(await cells("filter[cell-type]=cell&filter[status]=closed"), 1);
  assert.ok((await cells("filter[level]=1")) > 1);
  assert.equal(await cells("filter[level]=2"), 1);
});

test("the cells met for a year, with late, missing and failed meetings", async () => {
  const get = await as(/^full administrator/);
  const meetings = (filter: string) => total(get(`/v1/cell-meetings?${filter}&page[size]=1`));
  assert.ok((await meetings("filter[status]=held")) > 500);
  assert.ok((await meetings("filter[status]=not-held")) > 10);
  for (const status of ["late", "overdue", "not-due"])
    assert.ok((await meetings(`filter[report-status]=${status}`)) > 3, status);
  assert.ok((await total(get("/v1/cells?filter[report-overdue]=true&page[size]=1"))) > 1);
});

test("requests, a multiplication and notes wait for an answer, and families share households", async () => {
  const get = await as(/^full administrator/);
  for (const path of [
    "/v1/cell-join-requests?filter[status]=pending",
    "/v1/cell-multiplications?filter[status]=proposed",
    "/v1/notes?filter[follow-up-status]=open",
    "/v1/households?filter[without-members]=false",
    "/v1/people?filter[membership-status]=visitor",
  ])
    assert.ok((await total(get(`${path}&page[size]=1`))) > 0, path);
});

test("the home page of each log-in has something to do, whatever the day of the first start is", async () => {
  const [row] = await database.db<{ from: string; to: string }[]>`
    select to_char(current_date, 'MM-DD') as "from", to_char(current_date + 7, 'MM-DD') as "to"`;
  const birthdays = `/v1/people?filter[birthday-from]=${row?.from}&filter[birthday-to]=${row?.to}`;
  const missing = "/v1/people?filter[absent-streak-min]=3";
  const due = "/v1/cell-meetings?filter[report-status]=due,overdue";
  const count = (get: Awaited<ReturnType<typeof as>>, path: string) =>
    total(get(`${path}&page[size]=1`));

  const office = await as(/^full administrator/);
  assert.ok((await count(office, birthdays)) >= 4);
  assert.ok((await count(office, missing)) >= 3);
  assert.equal(await count(office, "/v1/cell-join-requests?filter[status]=pending"), 3);
  assert.ok((await count(office, "/v1/notes?filter[follow-up-status]=open")) >= 3);
  const alcantara = (await office("/v1/cells?filter[name]=Alcântara")).data[0]?.id;
  assert.ok((await count(office, `${due}&filter[cell]=${alcantara}`)) >= 2);
  assert.ok((await total(office("/v1/cells?filter[report-overdue]=true&page[size]=1"))) >= 3);

  const leader = await as(/^leader/);
  assert.ok((await count(leader, birthdays)) >= 1);
  assert.ok((await count(leader, missing)) >= 1);
  assert.equal(await count(leader, "/v1/notes?filter[follow-up-status]=open"), 1);
  const { data } = await leader(`${due}&sort=-date&page[size]=1`);
  const [known] = await database.db<{ yesterday: string }[]>`
    select (today_in(account_id) - 1)::text as yesterday from cell_meetings limit 1`;
  assert.equal(data[0]?.attributes["date"], known?.yesterday);
  const cells = await leader("/v1/cells?filter[leader]=me");
  assert.equal(cells.data[0]?.attributes["members-count"], 13);
});

test("courses are half done: people wait, work waits for a review, and lessons were held", async () => {
  const get = await as(/^full administrator/);
  for (const path of [
    "/v1/course-classes?filter[status]=in-progress",
    "/v1/course-enrollments?filter[status]=waitlisted",
    "/v1/course-enrollments?filter[status]=requested",
    "/v1/course-task-completions?filter[status]=submitted",
    "/v1/course-materials?filter[publish-status]=public",
  ])
    assert.ok((await total(get(`${path}&page[size]=1`))) > 0, path);
  const [row] = await database.db<{ held: number; planned: number; begun: number }[]>`
    select (select count(*)::integer from course_sessions where status = 'held') as held,
      (select count(*)::integer from course_sessions where status = 'planned') as planned,
      (select count(*)::integer from course_enrollments where progress between 1 and 99) as begun`;
  assert.ok(row && Math.min(row.held, row.planned, row.begun) > 3, JSON.stringify(row));
});

test("materials have files that can be downloaded", async () => {
  const get = await as(/^full administrator/);
  const { data } = await get("/v1/material-attachments");
  const types = data.map(({ attributes }) => attributes["media-type"]);
  assert.deepEqual(types.map(String).sort(), ["application/pdf", "image/png"]);
  for (const { attributes } of data) {
    const response = await fetch(String(attributes["url"]));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), attributes["media-type"]);
    assert.equal((await response.arrayBuffer()).byteLength, attributes["bytes"]);
  }
});

test("each log-in of the cell sees less than the one before", async () => {
  const seen: { people: number; attendances: number }[] = [];
  for (const standing of [/^full administrator/, /^supervisor/, /^leader/, /^member/]) {
    const get = await as(standing);
    seen.push({
      people: await total(get("/v1/people?page[size]=1")),
      attendances: await total(get("/v1/cell-attendances?page[size]=1")),
    });
  }
  for (const [index, less] of seen.slice(1).entries()) {
    const more = seen[index];
    assert.ok(more && more.people > less.people, JSON.stringify(seen));
    assert.ok(more.attendances > less.attendances && less.attendances > 0, JSON.stringify(seen));
  }
});
