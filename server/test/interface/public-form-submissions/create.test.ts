import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { limits } from "../../../src/base/limits.ts";
import {
  formToken,
  makeForm,
  readForm,
  submissionsOf,
  submit,
} from "../../support/public-forms.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  one,
  pointers,
  startService,
  type TestService,
} from "../../support/service.ts";
import {
  BEHIND_PROXY,
  openPublicArea,
  sendAsVisitor,
  solve,
  solvedProof,
} from "../../support/visits.ts";

let service: TestService;
let accountId: string;
before(async () => {
  service = await startService({ ...BEHIND_PROXY, sendsMail: true });
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());

const jobs = (name: string) => service.db<{ personId: string | null }[]>`
  select data ->> 'personId' as "personId" from pgboss.job
  where name = ${name} and data ->> 'accountId' = ${accountId}`;

const statusesOf = async (formId: string) =>
  (await submissionsOf(service, formId)).map(({ attributes }) => attributes["status"]);

test("201 · a visitor gets a receipt, and staff get the answers", async () => {
  const id = await makeForm(service, {
    "confirmation-message": "Thank you",
    "privacy-notice": "We delete it after a year.",
  });
  const answer = await submit(service, id, { consent: true, website: "" });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get("location"), null);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { attributes, type } = one(answer);
  assert.equal(type, "form-submissions");
  assert.deepEqual(attributes, {
    "status": "received",
    "confirmation-message": "Thank you",
    "confirmation-sent": false,
  });
  const [submission, ...others] = await submissionsOf(service, id);
  assert.deepEqual(others, []);
  assert.notEqual(submission?.id, one(answer).id);
  const { answers, consent, source, status } = submission?.attributes ?? {};
  assert.deepEqual(answers, { "full-name": "Ana Lima", "email": "ana.lima@visitor.example" });
  assert.deepEqual([source, status], ["public", "new"]);
  assert.equal((consent as { version: number }).version, 1);
});

test("201 · the token and the challenge of the read form are enough", async () => {
  const id = await makeForm(service, { challenge: "pow" });
  const { attributes } = one(await readForm(service, id));
  const answer = await submit(service, id, {
    "form-token": attributes["form-token"],
    "proof": solve(attributes["challenge"] as never),
  });
  assert.equal(answer.status, 201, answer.text);
  // It took less than three seconds.
  assert.deepEqual(await statusesOf(id), ["spam"]);
});

test("201 · a hasty sender and one who fills in the hidden field get the same receipt, and are spam", async () => {
  const id = await makeForm(service, { "confirmation-email": true });
  await service.db`delete from pgboss.job where data ->> 'accountId' = ${accountId}`;
  // An address gets three mails a day, also from other tests.
  const answers = { "full-name": "Ana Lima", "email": `${newId()}@visitor.example` };
  const good = await submit(service, id, { answers });
  const hasty = formToken(accountId, id, { ageMs: 2_000 });
  const receipts = [
    good,
    await submit(service, id, { answers, website: "https://spam.example" }),
    await submit(service, id, { answers, "form-token": hasty }),
  ];
  for (const receipt of receipts) {
    assert.equal(receipt.status, 201);
    assert.deepEqual(one(receipt).attributes, one(good).attributes);
  }
  assert.equal((await statusesOf(id)).filter((status) => status === "spam").length, 2);
  assert.equal((await jobs("confirmation-mails")).length, 1);
});

test("201 · a member's address changes nothing in the receipt and the mails", async () => {
  const id = await makeForm(service, { "confirmation-email": true });
  const member = await makePerson(service.db, accountId, { email: "member@church.example" });
  await service.db`delete from pgboss.job where data ->> 'accountId' = ${accountId}`;
  const answers = { "full-name": "Ana Lima" };
  await service.home`delete from counters`;
  const known = await submit(service, id, {
    answers: { ...answers, email: "member@church.example" },
  });
  const unknown = await submit(service, id, {
    answers: { ...answers, email: "nobody@church.example" },
  });
  assert.deepEqual(one(known).attributes, one(unknown).attributes);
  assert.equal(one(known).attributes["confirmation-sent"], true);
  assert.equal(known.text.length, unknown.text.length);
  assert.equal((await jobs("confirmation-mails")).length, 2);
  await service.db`delete from people where account_id = ${accountId} and id = ${member.id}`;
});

test("201 · the people of `notify` get a mail", async () => {
  const person = await makePerson(service.db, accountId, { email: "notified@church.example" });
  const id = await makeForm(service, { actions: { notify: [person.id] } });
  await service.db`delete from pgboss.job where data ->> 'accountId' = ${accountId}`;
  assert.equal((await submit(service, id)).status, 201);
  assert.deepEqual(
    (await jobs("arrival-mails")).map(({ personId }) => personId),
    [person.id],
  );
});

test("409 · a token allows one accepted submission, also for parallel requests", async () => {
  const id = await makeForm(service);
  const token = formToken(accountId, id);
  const wrong = await submit(service, id, { "form-token": token, "answers": {} });
  assert.equal(wrong.status, 422, "a rejected submission does not use the token");
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => submit(service, id, { "form-token": token })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409, 409, 409, 409, 409],
  );
  const again = await submit(service, id, { "form-token": token });
  assert.deepEqual(codes(again), ["form-token-used"]);
  assert.equal((await submissionsOf(service, id)).length, 1);
});

test("422 · a token that is altered, expired, of another form or of another account is rejected", async () => {
  const id = await makeForm(service);
  const other = await makeForm(service);
  const token = formToken(accountId, id);
  const stranger = await makeAccount(service.db);
  for (const wrong of [
    "",
    "x",
    `${token}x`,
    token.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    formToken(accountId, other),
    formToken(stranger.id, id),
    formToken(accountId, id, { ageMs: limits.formTokenMs }),
  ]) {
    const answer = await submit(service, id, { "form-token": wrong });
    assert.deepEqual([answer.status, codes(answer)], [422, ["form-token-invalid"]], wrong);
    assert.deepEqual(pointers(answer), ["/data/attributes/form-token"]);
  }
});

test("422 · a form with `pow` needs a new proof of this account", async () => {
  const id = await makeForm(service, { challenge: "pow" });
  for (const proof of [undefined, null, "", "bm90aGluZw=="])
    assert.deepEqual(codes(await submit(service, id, { proof })), ["proof-invalid"]);
  const stranger = await makeAccount(service.db);
  await openPublicArea(service.db, stranger.id);
  const foreign = await solvedProof(service, stranger.id);
  assert.deepEqual(codes(await submit(service, id, { proof: foreign })), ["proof-invalid"]);
  const proof = await solvedProof(service, accountId);
  assert.equal((await submit(service, id, { proof })).status, 201);
  assert.deepEqual(codes(await submit(service, id, { proof })), ["proof-invalid"]);
});

test("4xx · the checks run in their order, and the first failure is the answer", async () => {
  const id = await makeForm(service, { challenge: "pow" });
  const closed = await makeForm(service, { status: "closed", challenge: "pow" });
  const draft = await makeForm(service, { status: "draft", challenge: "pow" });
  const internal = await makeForm(service, { "requires-login": true });
  const proof = () => solvedProof(service, accountId);
  const bad = { "form-token": "x", "proof": "x", "form-version": 9, "answers": {} };
  const token = { ...bad, "form-token": formToken(accountId, id) };
  const version = { "form-version": 1 };
  const closedToken = () => ({ ...bad, "form-token": formToken(accountId, closed) });
  for (const [expected, form, attributes] of [
    ["422 unknown-attribute", newId(), { ...bad, status: "new" }],
    ["422 invalid-relationship", newId(), bad],
    ["422 invalid-relationship", draft, bad],
    ["422 invalid-relationship", internal, bad],
    ["422 form-token-invalid", id, bad],
    ["422 proof-invalid", id, token],
    ["409 form-version-changed", id, { ...token, proof: await proof() }],
    ["422 missing-attribute,missing-attribute", id, { ...token, ...version, proof: await proof() }],
    ["422 form-token-invalid", closed, bad],
    ["409 form-version-changed", closed, { ...closedToken(), proof: await proof() }],
    ["410 form-closed", closed, { ...closedToken(), ...version, proof: await proof() }],
  ] as const) {
    const answer = await submit(service, form, attributes);
    assert.equal(`${answer.status} ${codes(answer).join(",")}`, expected);
  }
});

test("409 · a form that changed since it was read has another version", async () => {
  const id = await makeForm(service);
  const token = formToken(accountId, id);
  const changed = document("forms", { "privacy-notice": "New" }, { id });
  assert.equal((await service.patch(`/v1/forms/${id}`, changed)).status, 200);
  for (const [version, current] of [
    [1, token],
    [2, token],
    [1, formToken(accountId, id, { version: 2 })],
  ] as const) {
    const answer = await submit(service, id, { "form-version": version, "form-token": current });
    assert.deepEqual([answer.status, codes(answer)], [409, ["form-version-changed"]]);
  }
});

test("410 · parallel submissions never exceed `max-submissions`", async () => {
  const id = await makeForm(service, { "max-submissions": 3 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => submit(service, id)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 3);
  assert.equal(answers.filter(({ status }) => status === 410).length, 7);
});

test("422 · wrong answers and a missing consent are reported together", async () => {
  const id = await makeForm(service, { "privacy-notice": "We delete it after a year." });
  const answers = { email: "nowhere", other: "x" };
  const answer = await submit(service, id, { answers });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set([
      "/data/attributes/answers/email",
      "/data/attributes/answers/full-name",
      "/data/attributes/answers/other",
      "/data/attributes/consent",
    ]),
  );
  assert.deepEqual(pointers(await submit(service, id, { consent: false })), [
    "/data/attributes/consent",
  ]);
});

test("201 · markup and changes of direction are removed, and answers to fields that are not shown are dropped", async () => {
  const id = await makeForm(service, {
    fields: [
      { key: "name", type: "text", label: "Name" },
      { key: "formula", type: "text", label: "Formula" },
      { key: "links", type: "long-text", label: "Links" },
      { key: "more", type: "boolean", label: "More" },
      {
        "key": "which",
        "type": "text",
        "label": "Which",
        "required": true,
        "show-if": { field: "more", equals: true },
      },
    ],
  });
  // Exports escape formulas, and no mail contains an answer.
  const stored = {
    formula: '=HYPERLINK("https://spam.example")',
    links: Array.from({ length: 50 }, (_, n) => `https://spam.example/${n}`).join(" "),
    more: false,
  };
  const answers = { ...stored, name: "<b>\u202eAna</b> Li\u0301s", which: "hidden" };
  assert.equal((await submit(service, id, { answers })).status, 201);
  const [submission] = await submissionsOf(service, id);
  assert.deepEqual(submission?.attributes["answers"], { ...stored, name: "Ana L\u00eds" });
});

test("413 · a submission has at most 64 KiB", async () => {
  const filled = (bytes: number) => {
    const empty = JSON.stringify(document("form-submissions", { answers: "" }));
    return empty.replace('"answers":""', `"answers":"${"x".repeat(bytes - empty.length)}"`);
  };
  const send = (bytes: number) =>
    sendAsVisitor(service, accountId, "form-submissions", filled(bytes));
  assert.equal((await send(65_536)).status, 422);
  const answer = await send(65_537);
  assert.deepEqual([answer.status, codes(answer)], [413, ["body-too-large"]]);
  assert.equal(answer.document.errors?.[0]?.detail, "Send at most 64 KiB.");
});

test("the consent is stored with a hash of the network, not with its address", async () => {
  const id = await makeForm(service, { "privacy-notice": "We delete it after a year." });
  await submit(service, id, { consent: true }, { "X-Forwarded-For": "192.0.2.99" });
  const [row] = await service.db<{ hash: Buffer; text: string }[]>`
    select consent_ip_hash as hash, form_submissions::text as text from form_submissions where form_id = ${id}`;
  assert.equal(row?.hash.length, 32);
  assert.ok(!row?.text.includes("192.0.2.99"));
});
