import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell } from "../../support/cells.ts";
import { fillIn, makeForm, makeSubmission, moderate, nameAndEmail } from "../../support/forms.ts";
import { makeAssignment, makeEndpoint, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  ids,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

/** The acts of staff who have many submissions: search, delete, decide together, and count. */
const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, {
  events: ["form-submission.created", "form-submission.updated"],
});

const read = async (id: string) => one(await service.get(`/v1/form-submissions/${id}`));
const search = async (query: string, as?: string) =>
  ids(await service.get(`/v1/form-submissions?${query}`, as ? { as } : {}));

async function holderOf(role: string, cell?: string) {
  const person = await makePerson(db, account.id);
  await makeAssignment(db, account.id, {
    personId: person.id,
    role,
    ...(cell && { scopeType: "cell", scopeIds: [cell] }),
  });
  return person;
}

const decide = (status: string, submissions: readonly string[], as?: string) =>
  service.post(
    "/v1/form-submission-changes",
    document(
      "form-submission-changes",
      { status },
      {
        relationships: {
          "form-submissions": { data: submissions.map((id) => ({ type: "form-submissions", id })) },
        },
      },
    ),
    as ? { as } : {},
  );

const fields = [
  ...nameAndEmail,
  { key: "phone", type: "phone", label: "Phone" },
  { key: "home", type: "address", label: "Home" },
  { key: "why", type: "long-text", label: "Why" },
  { key: "campaign", type: "hidden", label: "Campaign" },
  {
    key: "size",
    type: "select",
    label: "Size",
    options: [
      { value: "s", label: "Small" },
      { value: "m", label: "Medium" },
    ],
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
  { key: "guests", type: "number", label: "Guests" },
];

test("200 · filter[q] finds names, addresses, numbers and texts, and no hidden answer", async () => {
  const form = await makeForm(service, { fields });
  const id = await makeSubmission(service, form, {
    "full-name": "Conceição Prado",
    "email": "Conceicao@Example.org",
    "phone": "+5511987654321",
    "home": { street: "Rua das Flores", city: "Olinda" },
    "why": "I would like to sing in the choir",
    "campaign": "springleaflet",
    "size": "s",
  });
  await makeSubmission(service, form, { "full-name": "Somebody Else" });
  for (const found of ["conceicao", "PRADO sing", "olinda", "98765-4321", "conceicao@example.org"])
    assert.deepEqual(
      await search(`filter[form]=${form}&filter[q]=${encodeURIComponent(found)}`),
      [id],
      found,
    );
  for (const absent of ["springleaflet", "prado springleaflet"])
    assert.deepEqual(await search(`filter[q]=${encodeURIComponent(absent)}`), [], absent);
  assert.deepEqual(await search("filter[email]=conceicao@example.ORG"), [id]);
  assert.deepEqual(await search("filter[email]=conceicao@example"), []);
});

test("200 · filter[q] finds only submissions of forms that the caller reads", async () => {
  const [cell, other] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const [form, elsewhere] = [
    await makeForm(service, {}, { cell }),
    await makeForm(service, {}, { cell: other }),
  ];
  const sent = { "full-name": "Reachable Zeferino" };
  const mine = await makeSubmission(service, form, sent);
  await makeSubmission(service, elsewhere, sent);
  const leader = await holderOf("cell-leader", cell);
  assert.deepEqual(await search("filter[q]=zeferino", leader.token), [mine]);
});

test("200 · submitted-from and submitted-to are days in the time zone of the account", async () => {
  const form = await makeForm(service);
  const id = await makeSubmission(service, form, { "full-name": "Late" });
  await db`update accounts set settings = settings || '{"time-zone": "America/Sao_Paulo"}' where id = ${account.id}`;
  await db`update form_submissions set submitted_at = '2026-03-02T02:00:00Z' where account_id = ${account.id} and id = ${id}`;
  const of = `filter[form]=${form}`;
  assert.deepEqual(
    await search(`${of}&filter[submitted-from]=2026-03-01&filter[submitted-to]=2026-03-01`),
    [id],
  );
  assert.deepEqual(await search(`${of}&filter[submitted-from]=2026-03-02`), []);
});

test("204 · a deleted submission leaves its person, a journal entry without answers, and no copy of the answers", async () => {
  const form = await makeForm(service, { actions: { "create-or-match-person": true } });
  const id = await makeSubmission(service, form, {
    "full-name": "Stays Behind",
    "email": "stays@example.org",
  });
  assert.equal((await moderate(service, id, { status: "processed" })).status, 200);
  const person = linkedId(await read(id), "person") ?? "";
  const copies = async () => {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from webhook_events where account_id = ${account.id} and subject_id = ${id}`;
    return row?.count ?? 0;
  };
  assert.ok((await copies()) > 0);

  const manager = await holderOf("form-manager");
  const refused = await service.delete(`/v1/form-submissions/${id}`, { as: manager.token });
  assert.deepEqual([refused.status, codes(refused)], [403, ["forbidden"]]);
  const administrator = await holderOf("administrator");
  const told = await eventsOf(async () => {
    const gone = await service.delete(`/v1/form-submissions/${id}`, { as: administrator.token });
    assert.equal(gone.status, 204, gone.text);
  });
  assert.deepEqual(told, []);
  assert.equal((await service.get(`/v1/form-submissions/${id}`)).status, 404);
  assert.equal((await service.get(`/v1/people/${person}`)).status, 200);
  assert.equal(await copies(), 0);
  const audit = await service.get(`/v1/audit-entries?filter[resource-id]=${id}`);
  assert.ok(!audit.text.includes("stays@example.org"));
  const [entry] = audit.document.data as { attributes: Record<string, unknown> }[];
  assert.partialDeepStrictEqual(entry?.attributes, { action: "deleted", changes: {} });
});

test("404 · a member deletes no submission, and not the own one", async () => {
  const form = await makeForm(service, { "requires-login": true });
  const member = await makePerson(db, account.id);
  const sent = await fillIn(service, form, { "full-name": "Own" }, { as: member.token });
  const answer = await service.delete(`/v1/form-submissions/${one(sent).id}`, { as: member.token });
  assert.equal(answer.status, 403, answer.text);
});

test("201 · one decision has a result for each submission, and an event for each that changed", async () => {
  const form = await makeForm(service);
  const [first = "", second = "", done = "", spam = ""] = await Promise.all(
    ["A", "B", "C", "D"].map((name) => makeSubmission(service, form, { "full-name": name })),
  );
  await moderate(service, done, { status: "processed" });
  await moderate(service, spam, { status: "spam" });
  let answer: Awaited<ReturnType<typeof decide>> | undefined;
  const told = await eventsOf(async () => {
    answer = await decide("spam", [second, done, spam, first]);
  });
  assert.ok(answer);
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual(one(answer).attributes["results"], [
    { id: second, outcome: "changed" },
    { id: done, outcome: "invalid-transition" },
    { id: spam, outcome: "unchanged" },
    { id: first, outcome: "changed" },
  ]);
  assert.deepEqual(told, ["form-submission.updated", "form-submission.updated"]);
  assert.deepEqual(
    [(await read(first)).attributes["status"], (await read(done)).attributes["status"]],
    ["spam", "processed"],
  );
  assert.equal(linkedId(await read(first), "reviewed-by"), account.administrator.id);
});

test("201, 403 · a decision reaches only the submissions that the caller may decide", async () => {
  const [cell, other] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const id = await makeSubmission(service, await makeForm(service, {}, { cell }), {
    "full-name": "Safe",
  });
  const member = await makePerson(db, account.id);
  const internal = await makeForm(service, { "requires-login": true });
  const sent = await fillIn(service, internal, { "full-name": "Own" }, { as: member.token });
  const own = one(sent).id;
  const leader = await holderOf("cell-leader", cell);
  for (const [as, submission] of [
    [leader.token, id],
    [member.token, own],
  ] as const) {
    const answer = await decide("spam", [submission], as);
    assert.deepEqual([answer.status, codes(answer)], [403, ["forbidden"]]);
    assert.equal((await read(submission)).attributes["status"], "new");
  }

  await makeAssignment(db, account.id, {
    personId: leader.id,
    role: "form-manager",
    scopeType: "cell",
    scopeIds: [other],
  });
  const mixed = await decide("spam", [id], leader.token);
  assert.equal(mixed.status, 201, mixed.text);
  assert.deepEqual(one(mixed).attributes["results"], [{ id, outcome: "forbidden" }]);
  assert.equal((await read(id)).attributes["status"], "new");
});

test("422 · a decision names 1 to 200 submissions that the caller reads, and accepts none", async () => {
  const many = Array.from(
    { length: 201 },
    (_, n) => `01980e5c-4a00-7000-8000-${String(n).padStart(12, "0")}`,
  );
  for (const [status, submissions, pointer] of [
    ["spam", [], "/data/relationships/form-submissions/data"],
    ["spam", many, "/data/relationships/form-submissions/data"],
    ["spam", many.slice(0, 1), "/data/relationships/form-submissions/data/0/id"],
    ["processed", many.slice(0, 1), "/data/attributes/status"],
  ] as const) {
    const answer = await decide(status, submissions);
    assert.deepEqual([answer.status, pointers(answer)[0]], [422, pointer]);
  }
});

test("200 · totals count options, numbers, sources and days, without spam and declined submissions", async () => {
  const form = await makeForm(service, { fields });
  const sent = [
    { "full-name": "A", "size": "s", "days": ["sat", "sun"], "guests": 2 },
    { "full-name": "B", "size": "s", "days": ["sat"], "guests": 1.5 },
    { "full-name": "C", "size": "m" },
    { "full-name": "Spam", "size": "m", "guests": 100 },
  ];
  const made = [];
  for (const answers of sent) made.push(await makeSubmission(service, form, answers));
  await moderate(service, made.at(-1) ?? "", { status: "spam" });
  const totals = one(await service.get(`/v1/forms/${form}/totals`));
  assert.equal(totals.id, form);
  assert.deepEqual(totals.attributes["fields"], [
    {
      key: "size",
      answered: 3,
      counts: [
        { value: "s", count: 2 },
        { value: "m", count: 1 },
      ],
      sum: null,
    },
    {
      key: "days",
      answered: 2,
      counts: [
        { value: "sat", count: 2 },
        { value: "sun", count: 1 },
      ],
      sum: null,
    },
    { key: "guests", answered: 2, counts: null, sum: 3.5 },
  ]);
  assert.deepEqual(totals.attributes["sources"], { staff: 3 });
  const days = totals.attributes["days"] as { count: number }[];
  assert.deepEqual(
    days.map(({ count }) => count),
    [3],
  );
});

test("404 · totals need form-submissions:read at the form", async () => {
  const [cell, other] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const form = await makeForm(service, { "requires-login": true }, { cell: other });
  const leader = await holderOf("cell-leader", cell);
  const member = await makePerson(db, account.id);
  for (const { token } of [leader, member])
    for (const path of [`/v1/form-totals/${form}`, `/v1/forms/${form}/totals`])
      assert.ok([403, 404].includes((await service.get(path, { as: token })).status), path);
});
