import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { DAY, HOUR, SECOND } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { limits } from "../../../src/base/limits.ts";
import { keyedHash, sweepCounters } from "../../../src/store/counters.ts";
import { makeCell } from "../../support/cells.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { makeIntegration } from "../../support/make.ts";
import { formToken, makeForm, submissionsOf, submit } from "../../support/public-forms.ts";
import {
  type Answer,
  codes,
  document,
  startService,
  type TestService,
} from "../../support/service.ts";
import {
  anotherAddress,
  BEHIND_PROXY,
  openPublicArea,
  sendAsVisitor,
  solvedProof,
  visitorOf,
  WEBSITE,
} from "../../support/visits.ts";

let database: FreshDatabase;
let service: TestService;
let accountId: string;
let cellId: string;
let formId: string;
before(async () => {
  database = await freshDatabase("it makes the counters unusable");
  service = await startService({ ...BEHIND_PROXY, database, visitorLimits: true });
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
  cellId = await makeCell(service.db, accountId, { is_public: true });
  formId = await makeForm(service);
});
after(() => service.stop());
beforeEach(() => service.home`delete from counters`);

/** The key of the service. */
const key = Buffer.alloc(32, 2);
const counter = (...parts: string[]) => keyedHash(key, ...parts);

/** A request without a token or a proof. */
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

/** A submission with a token of the form. */
const fillIn = (address: string, attributes: Record<string, unknown> = {}, form = formId) =>
  submit(service, form, attributes, { "X-Forwarded-For": address });

const read = (address: string) =>
  service.get("/p/v1/cells", visitorOf(accountId, { "X-Forwarded-For": address }));

const times = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act));

/** The limit that each refusal names. */
const limitsIn = (answers: readonly Answer[]) => [
  ...new Set(
    answers
      .filter(({ status }) => status === 429)
      .map(({ document: { errors } }) => errors?.[0]?.meta?.["limit"]),
  ),
];

/** Sets a counter to a number. */
const counted = (requests: number, milliseconds: number, ...parts: string[]) => service.home`
  insert into counters (key, requests, ends_at, last_at)
  values (${counter(...parts)}, ${requests}, now() + ${`${milliseconds} milliseconds`}::interval, now())`;

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

test("429 · one network has exactly 60 of its 70 parallel submissions accepted, and reads go on", async () => {
  const address = anotherAddress();
  const [answers, reads] = await Promise.all([
    times(70, () => fillIn(address)),
    times(10, () => read(address)),
  ]);
  assert.deepEqual(statuses(answers), { 201: 60, 429: 10 });
  assert.deepEqual(limitsIn(answers), ["network"]);
  assert.deepEqual(statuses(reads), { 200: 10 });
  for (const answer of answers.filter(({ status }) => status === 429)) {
    assert.deepEqual(codes(answer), ["rate-limited"]);
    assert.equal(answer.headers.get("access-control-allow-origin"), WEBSITE, "the page reads it");
    const seconds = Number(answer.headers.get("retry-after"));
    assert.ok(seconds > 30 && seconds <= 60, `${seconds}`);
  }
  assert.equal((await fillIn(anotherAddress())).status, 201);
  await pass(60 * SECOND);
  assert.equal((await fillIn(address)).status, 201);
});

test("429 · a network has 600 a day, and an integration 300 a minute", async () => {
  const address = anotherAddress();
  await counted(limits.visitsPerNetworkAndDay - 1, DAY, "day", address);
  const [first, second] = [await fillIn(address), await fillIn(address)];
  assert.deepEqual([first.status, second.status, limitsIn([second])], [201, 429, ["network"]]);
  assert.ok(Number(second.headers.get("retry-after")) > (DAY - HOUR) / SECOND);

  const { id: integration, token } = await makeIntegration(service.db);
  await service.db`
    insert into account_integrations (account_id, integration_id) values (${accountId}, ${integration})`;
  const relayed = () =>
    submit(
      service,
      formId,
      {},
      { "X-Forwarded-For": address, "X-SVC-API-Token": token, "Origin": null },
    );
  await counted(limits.visitsPerIntegration - 1, 60 * SECOND, "integration", address);
  assert.deepEqual([(await relayed()).status, (await relayed()).status], [201, 429]);
});

test("429 · requests without a token or a proof of the service count at their network alone", async () => {
  const address = anotherAddress();
  const wrong = { "form-token": "x" };
  const answers = await times(25, () => fillIn(address, wrong));
  assert.deepEqual(statuses(answers), { 422: 20, 429: 5 });
  assert.deepEqual(limitsIn(answers), ["refused"]);
  const [row] = await service.home<{ rows: number }[]>`select count(*)::int as rows from counters`;
  assert.equal(row?.rows, 0, "the database counts nothing");
  // The hall from which they came still fills in forms, and asks without a proof only from elsewhere.
  assert.equal((await fillIn(address)).status, 201);
  assert.deepEqual(limitsIn([await ask(address)]), ["refused"]);
  assert.equal((await ask(anotherAddress())).status, 202);
});

test("201 · a solved challenge of the service is a sign, and a wrong one is none", async () => {
  const address = anotherAddress();
  await times(limits.unsignedVisitsPerNetwork, () =>
    ask(address, { consent: false, proof: "e30=" }),
  );
  const proof = await solvedProof(service, accountId);
  assert.equal((await ask(address, { proof })).status, 202);
  assert.equal((await ask(address, { proof: "e30=" })).status, 429);
});

test("429 · all addresses of a /56 count as one, and those of another /56 do not", async () => {
  await counted(limits.visitsPerNetwork - 1, 60 * SECOND, "minute", "2001:db8:1:0::/56");
  const answers = [await fillIn("2001:db8:1:2::1"), await fillIn("2001:db8:1:ff::1")];
  assert.deepEqual(statuses(answers), { 201: 1, 429: 1 });
  assert.equal((await fillIn("2001:db8:1:100::1")).status, 201);
});

test("429 · a form has the limit of its maker, exact under 50 parallel visitors, and rejected ones take no place", async () => {
  const form = await makeForm(service, { "max-per-hour": 10 });
  const rejected = await times(15, () => fillIn(anotherAddress(), { answers: {} }, form));
  assert.deepEqual(statuses(rejected), { 422: 15 });
  const answers = await times(50, () => fillIn(anotherAddress(), {}, form));
  assert.deepEqual(statuses(answers), { 201: 10, 429: 40 });
  assert.deepEqual(limitsIn(answers), ["form"]);
  assert.equal((await submissionsOf(service, form)).length, 10);
  assert.equal((await fillIn(anotherAddress())).status, 201, "another form");
  const changed = await service.patch(
    `/v1/forms/${form}`,
    document("forms", { "max-per-hour": 11 }, { id: form }),
  );
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await fillIn(anotherAddress(), {}, form)).status, 201);
});

test("429 · an account takes 5,000 an hour, and rejected ones take no place", async () => {
  await counted(limits.visitsPerAccount - 1, HOUR, "account", accountId);
  assert.equal((await ask(anotherAddress(), { consent: false })).status, 422);
  const answers = [await ask(anotherAddress()), await ask(anotherAddress())];
  assert.deepEqual([statuses(answers), limitsIn(answers)], [{ 202: 1, 429: 1 }, ["account"]]);
  assert.ok(Number(answers[1]?.headers.get("retry-after")) > 3_000);
});

test("429 · a page without script sends ten a minute, and its words name the limit", async () => {
  await openPublicArea(service.db, accountId, { "public-pages": true, "lang": "en" });
  const form = await makeForm(service, { challenge: "pow", slug: "sunday" });
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "X-Forwarded-For": anotherAddress(),
  };
  const send = (more: Record<string, string> = {}) =>
    service.post(
      `/c/${service.account.alias}/forms/sunday`,
      new URLSearchParams({
        "answers.full-name": "Ana Lima",
        "answers.email": "ana@visitor.example",
        "form-version": "1",
        "form-token": formToken(accountId, form),
        ...more,
      }).toString(),
      { as: null, headers },
    );
  const answers = await times(12, () => send());
  assert.deepEqual(statuses(answers), { 303: 10, 429: 2 });
  const proof = await solvedProof(service, accountId);
  assert.equal((await send({ proof })).status, 303, "with script");
  const refused = answers.find(({ status }) => status === 429);
  const text = refused?.text ?? "";
  assert.match(text, /Many messages came from your network\. Please send this again in 1 minute/);
  assert.match(text, /name="answers\.full-name"[^>]* value="Ana Lima"/);
  const scores = (await submissionsOf(service, form)).map(
    ({ attributes }) => attributes["spam-score"],
  );
  assert.deepEqual([scores.length, scores.filter((score) => score === 20).length], [11, 10]);
  await service.home`
    update counters set requests = ${limits.visitsPerForm} where key = ${counter("form", accountId, form)}`;
  assert.match(
    (await send({ proof: await solvedProof(service, accountId) })).text,
    /Many people are filling in this form/,
  );
});

test("the database keeps no addresses, and forgets counters whose window has passed", async () => {
  await fillIn("192.0.2.77");
  const [row] = await service.home<{ rows: string }[]>`
    select string_agg(counters::text, ' ') as rows from counters`;
  assert.ok(!row?.rows.includes("192.0.2"), row?.rows ?? "");
  await pass(DAY);
  assert.equal(await sweepCounters(service.home), 4);
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
