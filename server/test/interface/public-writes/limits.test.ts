import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { DAY, HOUR, SECOND } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { limits } from "../../../src/base/limits.ts";
import { countForm, countVisit } from "../../../src/features/visitors/counts.ts";
import { keyedHash, sweepCounters } from "../../../src/store/counters.ts";
import { makeCell } from "../../support/cells.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { codes, document, startService, type TestService } from "../../support/service.ts";
import {
  anotherAddress,
  BEHIND_PROXY,
  openPublicArea,
  sendAsVisitor,
  visitorOf,
  WEBSITE,
} from "../../support/visits.ts";

let database: FreshDatabase;
let service: TestService;
let accountId: string;
let cellId: string;
before(async () => {
  database = await freshDatabase("it makes the counters unusable");
  service = await startService({ ...BEHIND_PROXY, database });
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
  cellId = await makeCell(service.db, accountId, { is_public: true });
});
after(() => service.stop());
beforeEach(() => service.home`delete from counters`);

/** The key of the service. */
const key = Buffer.alloc(32, 2);
const ofAccount = () => keyedHash(key, "account", accountId);

const ask = (address: string, attributes: Record<string, unknown> = {}) =>
  sendAsVisitor(
    service,
    accountId,
    "cell-join-requests",
    document(
      "cell-join-requests",
      {
        contact: { "full-name": "Ana", "email": `${newId()}@visitor.example` },
        consent: true,
        ...attributes,
      },
      { relationships: { cell: { data: { type: "cells", id: cellId } } } },
    ),
    { "X-Forwarded-For": address },
  );

const read = (address: string) =>
  service.get("/p/v1/cells", visitorOf(accountId, { "X-Forwarded-For": address }));

const statuses = (answers: readonly { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

/** Sends a request while the counters are missing. */
async function withoutCounters<T>(send: () => Promise<T>): Promise<T> {
  await service.home`alter table counters rename to away`;
  try {
    return await send();
  } finally {
    await service.home`alter table away rename to counters`;
  }
}

/** Lets time pass for the counters. */
const pass = (milliseconds: number) => service.home`
  update counters set ends_at = ends_at - ${`${milliseconds} milliseconds`}::interval`;

test("429 · one address has exactly 5 of its 50 parallel requests accepted, and reads go on", async () => {
  const address = anotherAddress();
  const [answers, reads] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => ask(address))),
    Promise.all(Array.from({ length: 10 }, () => read(address))),
  ]);
  assert.deepEqual(statuses(answers), { 202: 5, 429: 45 });
  assert.deepEqual(statuses(reads), { 200: 10 });
  for (const answer of answers.filter(({ status }) => status === 429)) {
    assert.deepEqual(codes(answer), ["rate-limited"]);
    assert.equal(answer.headers.get("access-control-allow-origin"), WEBSITE, "the page reads it");
    const seconds = Number(answer.headers.get("retry-after"));
    assert.ok(seconds > 50 && seconds <= 60, `${seconds}`);
  }
  const rows = await service.db`select from cell_join_requests where account_id = ${accountId}`;
  assert.equal(rows.length, 5);
  assert.equal((await ask(anotherAddress())).status, 202);
});

test("429 · rejected requests count, whatever is wrong with them", async () => {
  const address = anotherAddress();
  const send = (body: unknown) =>
    sendAsVisitor(service, accountId, "cell-join-requests", body, { "X-Forwarded-For": address });
  assert.equal((await send("{")).status, 400);
  assert.equal((await send("x".repeat(70_000))).status, 413);
  assert.equal((await send({ data: { type: "cells" } })).status, 409);
  assert.equal((await ask(address, { consent: false })).status, 422);
  assert.equal((await ask(address)).status, 202);
  assert.equal((await ask(address)).status, 429);
});

test("429 · a window ends a minute after its first request, also if requests go on", async () => {
  const address = anotherAddress();
  for (let n = 0; n < 5; n += 1) assert.equal((await ask(address)).status, 202);
  await pass(30 * SECOND);
  const answer = await ask(address);
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get("retry-after")) <= 30);
  await pass(30 * SECOND);
  assert.equal((await ask(address)).status, 202);
});

test("429 · an address has 30 a day", async () => {
  const address = anotherAddress();
  const refused = [];
  for (let n = 0; n < 33; n += 1) {
    const answer = await ask(address);
    if (answer.status === 429) refused.push(Number(answer.headers.get("retry-after")));
    if (n % 5 === 4) await pass(60 * SECOND);
  }
  assert.equal(refused.length, 3);
  const [first = 0] = refused;
  assert.ok(first > (DAY - HOUR) / SECOND && first <= DAY / SECOND, `${first}`);
});

test("429 · all addresses of a /64 count as one, and those of another /64 do not", async () => {
  const answers = [];
  for (let n = 0; n < 6; n += 1) answers.push(await ask(`2001:db8:1:2:${n}::1`));
  assert.deepEqual(statuses(answers), { 202: 5, 429: 1 });
  assert.equal((await ask("2001:db8:1:3::1")).status, 202);
});

test("429 · a form and an account have their own limits, exact under 50 parallel clients", async () => {
  const formId = newId();
  const count = (all: number, one: () => Promise<void>) =>
    Promise.all(
      Array.from({ length: all }, () =>
        one().then(
          () => "counted",
          (error: Error) => error.message.slice(0, 12),
        ),
      ),
    );
  const forms = [];
  for (let n = 0; n < 7; n += 1)
    forms.push(...(await count(50, () => countForm(service.home, key, { accountId, formId }))));
  assert.equal(forms.filter((one) => one === "counted").length, limits.visitsPerForm);
  assert.equal(forms.filter((one) => one === "rate-limited").length, 50);
  await countForm(service.home, key, { accountId, formId: newId() });

  await service.home`
    insert into counters (key, requests, ends_at, last_at)
    values (${ofAccount()}, ${limits.visitsPerAccount - 25}, now() + interval '1 hour', now())`;
  const visits = await count(50, () =>
    countVisit(service.home, key, { accountId, address: anotherAddress() }),
  );
  assert.equal(visits.filter((one) => one === "counted").length, 25);
  const answer = await ask(anotherAddress());
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get("retry-after")) > 3_500);
});

test("429 · requests over the limit of an address do not use up the account's", async () => {
  const address = anotherAddress();
  for (let n = 0; n < 10; n += 1) await ask(address);
  const [counted] = await service.home<{ requests: number }[]>`
    select requests from counters where key = ${ofAccount()}`;
  assert.equal(counted?.requests, 5);
});

test("the database keeps no addresses, and forgets counters whose window has passed", async () => {
  await ask("192.0.2.77");
  const [row] = await service.home<{ rows: string }[]>`
    select string_agg(counters::text, ' ') as rows from counters`;
  assert.ok(!row?.rows.includes("192.0.2"), row?.rows ?? "");
  await pass(DAY);
  assert.equal(await sweepCounters(service.home), 3);
});

test("503 · a request that cannot be counted is not served, and reads go on", async () => {
  const address = anotherAddress();
  const answer = await withoutCounters(() => ask(address));
  assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  assert.equal((await read(address)).status, 200);
});

test("503 · a page says that a request cannot be counted, keeps what was typed, and takes it afterwards", async () => {
  const path = `/c/${service.account.alias}/cells/${cellId}/join`;
  const typed = new URLSearchParams({
    "contact.full-name": "Rosa Nunes",
    "contact.email": "rosa@visitor.example",
    "message": `"><b>May I come?</b>`,
    "consent": "true",
  });
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "X-Forwarded-For": anotherAddress(),
  };
  const requests = () =>
    service.db`select from cell_join_requests where contact ->> 'full-name' = 'Rosa Nunes'`;
  const send = () => service.post(path, typed.toString(), { as: null, headers });
  for (const [lang, words] of Object.entries({
    "en": /This could not be saved\. Please send it again in 1 minute\./,
    "pt-BR": /Não foi possível salvar\. Envie de novo em 1 minuto\./,
    "es": /No se pudo guardar\. Envíelo de nuevo dentro de 1 minuto\./,
  })) {
    await openPublicArea(service.db, accountId, { "public-pages": true, lang });
    const answer = await withoutCounters(send);
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get("retry-after"), "5");
    assert.match(answer.text, words);
    assert.match(answer.text, /name="contact\.full-name"[^>]* value="Rosa Nunes"/);
    assert.match(answer.text, /&quot;&gt;&lt;b&gt;May I come\?/);
    const page = await service.get(path, { as: null, headers });
    assert.equal(page.status, 200, "pages can be read");
  }
  assert.equal((await requests()).length, 0);
  assert.equal((await send()).status, 303);
  assert.equal((await requests()).length, 1);
});

test("503 · pages say so while the database cannot be reached", async () => {
  const path = `/c/${service.account.alias}/cells/${cellId}/join`;
  const headers = { "Accept-Language": "es", "Content-Type": "application/x-www-form-urlencoded" };
  await database.goAway();
  const answers = [
    await service.get(path, { as: null, headers }),
    await service.post(path, "contact.full-name=Ana", { as: null, headers }),
  ];
  await database.comeBack();
  for (const answer of answers) {
    assert.equal(answer.status, 503);
    assert.match(answer.text, /<h1[^>]*>Por ahora, la página no se puede mostrar/);
  }
});
