import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Challenge } from "../src/features/visitors/challenges.ts";
import { makeCell } from "./support/cells.ts";
import { makeClass } from "./support/courses.ts";
import { makeRow } from "./support/make.ts";
import { formToken, makeForm, nameAndEmail, submissionsOf } from "./support/public-forms.ts";
import { type Answer, many, startService, type TestService } from "./support/service.ts";
import { anotherAddress, BEHIND_PROXY, openPublicArea, solve } from "./support/visits.ts";

/** The pages on which visitors write. They call the functions of /p/v1, whose tests hold the rules. */

const HOSTILE = `"><script>alert("1")</script>`;

let service: TestService;
let root: string;
before(async () => {
  service = await startService({ ...BEHIND_PROXY, sendsMail: true });
  root = `/c/${service.account.alias}`;
});
after(() => service.stop());
beforeEach(() => show({}));

const show = (settings: Record<string, unknown>) =>
  openPublicArea(service.db, service.account.id, {
    "public-pages": true,
    "public-area": true,
    "public-challenge": "none",
    "lang": "en",
    ...settings,
  });

const visit = (path: string) =>
  service.get(root + path, {
    as: null,
    headers: { "Origin": null, "X-Forwarded-For": anotherAddress() },
  });

const send = (
  path: string,
  typed: Record<string, string> | string[][],
  headers: Record<string, string> = {},
) =>
  service.post(root + path, new URLSearchParams(typed).toString(), {
    as: null,
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": anotherAddress(),
      ...headers,
    },
  });

/** The form of a visitor who took some time. */
const filled = (formId: string, typed: Record<string, string> = {}) => ({
  "form-token": formToken(service.account.id, formId),
  "form-version": "1",
  "website": "",
  "answers.full-name": "Ana Lima",
  "answers.email": "ana.lima@visitor.example",
  ...typed,
});

const title = ({ text }: Answer) => /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1];

/** The value of an input. */
const valueOf = ({ text }: Answer, name: string) =>
  new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1];

const challengeIn = ({ text }: Answer) => {
  const json = /data-challenge="([^"]+)"/.exec(text)?.[1];
  assert.ok(json, text);
  return JSON.parse(json.replaceAll("&quot;", '"').replaceAll("&amp;", "&")) as Challenge;
};

const everyType = [
  { key: "about", type: "heading", label: "About you" },
  { key: "name", type: "text", label: "Name", required: true },
  { key: "story", type: "long-text", label: "Story", help: "A few lines." },
  { key: "email", type: "email", label: "E-mail" },
  { key: "phone", type: "phone", label: "Telephone" },
  { key: "age", type: "number", label: "Age", min: 16, max: 99 },
  { key: "day", type: "date", label: "Day", min: "2026-01-01" },
  { key: "new", type: "boolean", label: "I am new" },
  {
    "key": "size",
    "type": "select",
    "label": "Size",
    "options": [{ value: "s", label: "Small" }],
    "show-if": { field: "new", equals: true },
    "required": true,
  },
  {
    key: "days",
    type: "multi-select",
    label: "Days",
    options: [
      { value: "sat", label: "Saturday" },
      { value: "sun", label: "Sunday" },
    ],
  },
  { key: "home", type: "address", label: "Home" },
  { key: "photos", type: "consent", label: "Photos of me may be shown", required: true },
  { key: "source", type: "hidden", label: "Source" },
] as const;

test("a form is shown by its slug, is never cached, and takes answers of every type", async () => {
  const id = await makeForm(service, { fields: everyType, slug: "come-and-see" });
  const page = await visit("/forms/come-and-see?source=flyer&name=Eve");
  assert.equal(page.status, 200, page.text);
  assert.equal(page.headers.get("cache-control"), "no-store");
  assert.deepEqual(
    [valueOf(page, "answers.source"), valueOf(page, "answers.name"), valueOf(page, "form-version")],
    ["flyer", "", "1"],
  );
  const answers = [
    ["form-token", formToken(service.account.id, id)],
    ["form-version", "1"],
    ["answers.name", "Ana"],
    ["answers.story", "One\r\ntwo"],
    ["answers.email", "ana@visitor.example"],
    ["answers.phone", "+351 912 345 678"],
    ["answers.age", "30"],
    ["answers.day", "2026-05-01"],
    ["answers.size", ""],
    ["answers.days", "sat"],
    ["answers.days", "sun"],
    ["answers.home.street", "Rua A"],
    ["answers.home.city", "Lisboa"],
    ["answers.photos", "true"],
    ["answers.source", "flyer"],
  ];
  const sent = await send("/forms/come-and-see", answers);
  assert.equal(sent.status, 303, sent.text);
  const [submission] = await submissionsOf(service, id);
  assert.deepEqual(submission?.attributes["answers"], {
    name: "Ana",
    story: "One\ntwo",
    email: "ana@visitor.example",
    phone: "+351912345678",
    age: 30,
    day: "2026-05-01",
    new: false,
    days: ["sat", "sun"],
    home: { street: "Rua A", city: "Lisboa" },
    photos: true,
    source: "flyer",
  });
  assert.deepEqual(
    [submission?.attributes["status"], submission?.attributes["source"]],
    ["new", "public"],
  );
});

test("303 · a sent form leads to the message of the church, and a second one with the token is not stored", async () => {
  const id = await makeForm(service, { "confirmation-message": `See you <b>soon</b>` });
  const typed = filled(id);
  const sent = await send(`/forms/${id}`, typed);
  assert.deepEqual([sent.status, sent.headers.get("location")], [303, `${root}/forms/${id}/sent`]);
  const thanks = await visit(`/forms/${id}/sent`);
  assert.equal(title(thanks), "Thank you");
  assert.match(thanks.text, /See you &lt;b&gt;soon/);
  const again = await send(`/forms/${id}`, typed);
  assert.deepEqual([again.status, title(again)], [409, "Your answers have arrived"]);
  assert.equal((await submissionsOf(service, id)).length, 1);
});

test("422 · mistakes stand at their fields in the language of the church, and what was typed stays", async () => {
  await show({ lang: "pt-BR" });
  const id = await makeForm(service, { "privacy-notice": "Guardamos por um ano." });
  const typed = filled(id, { "answers.full-name": HOSTILE, "answers.email": "ana" });
  const answer = await send(`/forms/${id}`, typed);
  assert.equal(answer.status, 422);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.match(answer.text, /role="alert" tabindex="-1" autofocus/);
  assert.match(answer.text, /<a href="#answers\.email"><bdi>E-mail<\/bdi>: Escreva um e-mail/);
  assert.match(answer.text, /<a href="#consent"/);
  assert.match(answer.text, /name="answers\.email"[^>]* aria-invalid="true"[^>]* value="ana"/);
  assert.equal(answer.text.includes("<script>alert"), false);
  assert.equal(valueOf(answer, "form-token"), typed["form-token"], "a correction is not hasty");
  assert.deepEqual(await submissionsOf(service, id), []);
  const right = { ...typed, "answers.email": "ana@visitor.example", "consent": "true" };
  assert.equal((await send(`/forms/${id}`, right)).status, 303);
});

test("a proof brings the mail of confirmation, and a page without script leaves the form to staff", async () => {
  const id = await makeForm(service, { "challenge": "pow", "confirmation-email": true });
  const proof = solve(challengeIn(await visit(`/forms/${id}`)));
  const proved = await send(`/forms/${id}`, filled(id, { proof }));
  assert.equal(proved.headers.get("location"), `${root}/forms/${id}/sent?mail`);
  const used = await send(`/forms/${id}`, filled(id, { proof }));
  assert.equal(used.status, 422);
  assert.match(used.text, /open for too long/);
  const plain = await send(`/forms/${id}`, filled(id, { proof: "" }));
  assert.equal(plain.headers.get("location"), `${root}/forms/${id}/sent`);
  const mails = await service.db`
    select from pgboss.job where name = 'confirmation-mails'
      and data ->> 'accountId' = ${service.account.id} and data ->> 'type' = 'form-submissions'`;
  assert.equal(mails.length, 1);
  assert.equal((await submissionsOf(service, id)).length, 2);
});

test("409 · a form that has changed is shown again with what was typed", async () => {
  const id = await makeForm(service);
  const typed = filled(id);
  await service.db`update forms set version_number = 2 where id = ${id}`;
  const answer = await send(`/forms/${id}`, typed);
  assert.equal(answer.status, 409);
  assert.match(answer.text, /The form has changed in the meantime/);
  assert.deepEqual(
    [valueOf(answer, "answers.full-name"), valueOf(answer, "form-version")],
    ["Ana Lima", "2"],
  );
  assert.notEqual(valueOf(answer, "form-token"), typed["form-token"]);
});

test("410 · a form that is closed, full or not yet open says so with its name and the number of the church", async () => {
  const phone = "+351 210 000 001";
  await service.db`update accounts set phone = ${phone} where id = ${service.account.id}`;
  const { db } = service;
  const states: [string, (id: string) => Promise<unknown>][] = [
    ["This form is closed.", (id) => db`update forms set closes_at = now() where id = ${id}`],
    ["This form is closed.", (id) => db`update forms set status = 'closed' where id = ${id}`],
    [
      "This form opens on March 1, 2090 at 9:30",
      (id) => db`update forms set opens_at = '2090-03-01T09:30:00Z' where id = ${id}`,
    ],
    [
      "This form has all the answers",
      (id) => db`update forms set max_submissions = 0 where id = ${id}`,
    ],
  ];
  for (const [sentence, change] of states) {
    const id = await makeForm(service, { name: "Camp & <b>fire</b>" });
    const typed = filled(id);
    await change(id);
    for (const answer of [await send(`/forms/${id}`, typed), await visit(`/forms/${id}`)]) {
      assert.deepEqual([answer.status, title(answer)], [410, "Camp &amp; &lt;b&gt;fire&lt;/b&gt;"]);
      assert.ok(answer.text.includes(sentence), answer.text);
      assert.ok(answer.text.includes(`href="tel:${phone.replaceAll(" ", "")}"`), answer.text);
      assert.equal(answer.headers.get("cache-control"), "no-store");
    }
  }
});

test("404 · drafts, forms with a log-in and unknown forms do not exist, for reads and writes", async () => {
  const draft = await makeForm(service, { status: "draft" });
  const internal = await makeForm(service, { "requires-login": true });
  for (const id of [draft, internal, "nothing"]) {
    const answers = [await visit(`/forms/${id}`), await send(`/forms/${id}`, filled(draft))];
    for (const answer of answers)
      assert.deepEqual([answer.status, title(answer)], [404, "This page does not exist"], id);
  }
  await show({ "public-pages": false });
  const open = await makeForm(service);
  assert.equal((await send(`/forms/${open}`, filled(open))).status, 404);
});

test("413, 415 · only forms of 64 KiB are read", async () => {
  const id = await makeForm(service);
  const long = await send(`/forms/${id}`, filled(id, { "answers.full-name": "x".repeat(70_000) }));
  assert.deepEqual([long.status, title(long)], [413, "This is too long"]);
  const json = await send(`/forms/${id}`, filled(id), { "Content-Type": "application/json" });
  assert.equal(json.status, 415);
  const foreign = await service.post("/p/v1/form-submissions", "a=b", {
    as: null,
    headers: {
      "Authorization": `Account ${service.account.id}`,
      "Origin": "https://www.church.example",
      "Content-Type": "application/x-www-form-urlencoded",
    },
  });
  assert.equal(foreign.status, 415);
});

test("a visitor asks to join a cell from its page, once", async () => {
  const { account, db } = service;
  await show({ "public-challenge": "pow" });
  const id = await makeCell(db, account.id, { is_public: true });
  assert.match((await visit(`/cells/${id}`)).text, new RegExp(`href="${root}/cells/${id}/join"`));
  const page = await visit(`/cells/${id}/join`);
  assert.equal(title(page), "Ask to join");
  const empty = await send(`/cells/${id}/join`, {});
  assert.equal(empty.status, 422);
  for (const input of ["contact.full-name", "contact.email", "consent"])
    assert.match(empty.text, new RegExp(`<a href="#${input.replace(".", "\\.")}">`));
  const typed = {
    "contact.full-name": "Ana Lima",
    "contact.email": "ana@visitor.example",
    "contact.phone": "",
    "message": "May I come?",
    "consent": "true",
  };
  const proof = solve(challengeIn(page));
  const sent = await send(`/cells/${id}/join`, { ...typed, proof });
  assert.equal(sent.headers.get("location"), `${root}/cells/${id}/join/sent?mail`);
  const plain = await send(`/cells/${id}/join`, typed);
  assert.equal(plain.headers.get("location"), `${root}/cells/${id}/join/sent`);
  const requests = many(await service.get(`/v1/cell-join-requests?filter[cell]=${id}`));
  assert.deepEqual(
    requests.map(({ attributes }) => [attributes["status"], attributes["message"]]),
    [["pending", "May I come?"]],
  );
  await db`update cells set join_policy = 'closed' where id = ${id}`;
  for (const closed of [await visit(`/cells/${id}/join`), await send(`/cells/${id}/join`, typed)]) {
    assert.deepEqual([closed.status, title(closed)], [409, "No requests at the moment"]);
    assert.match(
      closed.text,
      new RegExp(`<a href="${root}/cells">`),
      "another group can be chosen",
    );
  }
});

test("a visitor asks to enroll in an open class from its page", async () => {
  const { account, db } = service;
  const courseId = await makeRow(db, "courses", account.id, { name: "Alpha", is_public: true });
  const id = await makeClass(db, account.id, courseId, { name: "Autumn", is_public: true });
  assert.match(
    (await visit(`/classes/${id}`)).text,
    new RegExp(`href="${root}/classes/${id}/enroll"`),
  );
  assert.equal(title(await visit(`/classes/${id}/enroll`)), "Enroll");
  const sent = await send(`/classes/${id}/enroll`, {
    "contact.full-name": "Ana Lima",
    "contact.email": "ana@visitor.example",
    "consent": "true",
  });
  assert.equal(sent.status, 303, sent.text);
  const requests = many(await service.get("/v1/course-enrollment-requests"));
  assert.equal(requests.length, 1);
});

test("the field that people do not see is hidden from assistive technology, and a value there is spam", async () => {
  const id = await makeForm(service, { fields: nameAndEmail });
  const { text } = await visit(`/forms/${id}`);
  assert.match(text, /aria-hidden="true">\s*<label>Website <input name="website" tabindex="-1"/);
  const sent = await send(`/forms/${id}`, filled(id, { website: "https://spam.example" }));
  assert.equal(sent.status, 303);
  const spam = many(
    await service.get(`/v1/form-submissions?filter[form]=${id}&filter[status]=spam`),
  );
  assert.equal(spam.length, 1);
});
