import assert from "node:assert/strict";
import { after, before, beforeEach, test, type TestContext } from "node:test";
import { visitorsFeature } from "../../../src/features/visitors/feature.ts";
import { createMailer } from "../../../src/mail/mailer.ts";
import { join, makeCell } from "../../support/cells.ts";
import { makeClass } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { makePerson, makeRow } from "../../support/make.ts";
import { makeForm, submissionsOf, submit } from "../../support/public-forms.ts";
import { testServices, until, workOn } from "../../support/queues.ts";
import {
  codes,
  document,
  linkedId,
  many,
  one,
  startService,
  type TestService,
} from "../../support/service.ts";
import { BEHIND_PROXY, openPublicArea, sendAsVisitor, solvedProof } from "../../support/visits.ts";

let service: TestService;
let accountId: string;
before(async () => {
  const database = await freshDatabase("its worker sends the letters of every account");
  service = await startService({ ...BEHIND_PROXY, database, sendsMail: true });
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());
beforeEach(async () => {
  await service.db`delete from cells where account_id = ${accountId}`;
  await service.home`delete from counters`;
  await service.db`delete from pgboss.job`;
});

async function mailed(context: TestContext): Promise<MailServer> {
  const server = await startMailServer();
  context.after(() => server.stop());
  workOn(context, service.database, visitorsFeature.queues ?? [], {
    ...testServices(),
    mailer: createMailer({ url: server.url, from: "vestry@church.example" }),
  });
  return server;
}

const makePublicCell = (columns: Parameters<typeof makeCell>[2] = {}) =>
  makeCell(service.db, accountId, { name: "Cambuí", is_public: true, ...columns });

const ask = (cellId: string, email: string, attributes: Record<string, unknown> = {}) =>
  sendAsVisitor(
    service,
    accountId,
    "cell-join-requests",
    document(
      "cell-join-requests",
      {
        contact: { "full-name": "Buy at https://spam.example", email },
        message: "A text of the visitor",
        consent: true,
        ...attributes,
      },
      { relationships: { cell: { data: { type: "cells", id: cellId } } } },
    ),
  );

/** Waits until every mail is sent. */
const allSent = () =>
  until(async () => {
    const left = await service.db`
      select from pgboss.job where name like '%-mails' and state <> 'completed' limit 1`;
    return left.length === 0 || undefined;
  });

const pathIn = (text: string | undefined): string => {
  const [path = ""] = /\/p\/v1\/form-submissions\/confirmations\/\S+/.exec(text ?? "") ?? [];
  assert.notEqual(path, "", text ?? "no text");
  return path;
};

/** Asks to join, and returns the path of the mail. */
async function pathOfMail(server: MailServer, cellId: string, email: string): Promise<string> {
  const next = server.next();
  assert.equal((await ask(cellId, email)).status, 202);
  return pathIn((await next).text);
}

const FORM = { "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html" };
const open = (path: string) => service.get(path, { as: null, headers: { Origin: null } });
const confirm = (path: string, headers: Record<string, string | null> = {}) =>
  service.request("POST", path, { as: null, headers: { Origin: null, ...headers } });
const requests = async () => many(await service.get("/v1/cell-join-requests"));
const memberships = async () => many(await service.get("/v1/cell-memberships"));

test("202 · the mail names the church and the cell, and contains nothing that the visitor wrote", async (context) => {
  const server = await mailed(context);
  const cellId = await makePublicCell();
  const next = server.next();
  await ask(cellId, "ana@visitor.example");
  const mail = await next;
  assert.match(mail.subject ?? "", /^Please confirm your e-mail address for Church/);
  assert.deepEqual(mail.to, [{ name: "", address: "ana@visitor.example" }]);
  assert.ok(mail.text?.includes("Cambuí"));
  for (const part of [mail.text, mail.html, mail.subject])
    assert.ok(!/spam|text of the visitor/i.test(part ?? ""), part ?? "");
});

test("202 · the leader's mail says that there is a request, and contains nothing that the visitor wrote", async (context) => {
  const server = await mailed(context);
  const cellId = await makePublicCell();
  const leader = await makePerson(service.db, accountId, {
    fullName: "Rui Santos",
    email: "rui@church.example",
  });
  await join(service.db, accountId, cellId, leader.id, { cell_role: "leader" });
  // A second request from one address counts as the first.
  for (let n = 0; n < 2; n += 1) await ask(cellId, "ana@visitor.example");
  await allSent();
  const [mail, ...others] = server.received.filter((one) =>
    one.to?.some(({ address }) => address === "rui@church.example"),
  );
  assert.ok(mail);
  assert.deepEqual(others, []);
  assert.ok(
    mail.text?.includes(`https://app.church.example/cells/${cellId}?tab=requests`),
    mail.text ?? "",
  );
  for (const part of [mail.text, mail.html, mail.subject])
    assert.ok(!/spam|text of the visitor|visitor\.example/i.test(part ?? ""), part ?? "");
});

test("201 · the mails about a submission and a request to enroll lead to where they are decided", async (context) => {
  const server = await mailed(context);
  const person = await makePerson(service.db, accountId, { email: "answers@church.example" });
  const form = await makeForm(service, { actions: { notify: [person.id] } });
  assert.equal((await submit(service, form)).status, 201);
  const course = await makeRow(service.db, "courses", accountId, { name: "A", is_public: true });
  const columns = { name: "B", is_public: true };
  const classId = await makeClass(service.db, accountId, course, columns);
  await service.db`insert into course_class_teachers values (${accountId}, ${classId}, ${person.id})`;
  const type = "course-enrollment-requests";
  const contact = { "full-name": "Ana", "email": "ana@visitor.example" };
  const place = { relationships: { class: { data: { type: "course-classes", id: classId } } } };
  const proof = await solvedProof(service, accountId);
  const body = document(type, { contact, consent: true, proof }, place);
  const asked = await sendAsVisitor(service, accountId, type, body);
  assert.equal(asked.status, 202, asked.text);
  await allSent();
  const [submission] = await submissionsOf(service, form);
  const texts = server.received
    .filter((mail) => mail.to?.some(({ address }) => address === "answers@church.example"))
    .map(({ text }) => text ?? "");
  for (const path of [`/forms/${form}/submissions/${submission?.id}`, "/inbox"])
    assert.ok(
      texts.some((text) => text.includes(`https://app.church.example${path}`)),
      path,
    );
});

test("200 · opening the link changes nothing, however often scanners do it", async (context) => {
  const server = await mailed(context);
  const path = await pathOfMail(
    server,
    await makePublicCell({ join_policy: "open" }),
    "a@v.example",
  );
  for (let n = 0; n < 3; n += 1) {
    const page = await open(path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self'/);
    assert.ok(page.text.includes('<form method="post"><button>Confirm</button></form>'));
    assert.ok(!page.text.includes("<script"));
  }
  const head = await service.request("HEAD", path, { as: null, headers: { Origin: null } });
  assert.equal(head.status, 200);
  assert.deepEqual(
    (await requests()).map(({ attributes }) => [attributes["status"], attributes["is-confirmed"]]),
    [["pending", false]],
  );
});

test("200 · a confirmed request for an open cell makes a prospect who takes part", async (context) => {
  const server = await mailed(context);
  const cellId = await makePublicCell({ join_policy: "open" });
  const path = await pathOfMail(server, cellId, "new@visitor.example");
  const answer = await confirm(path);
  assert.equal(answer.status, 200, answer.text);
  const { attributes, type } = one(answer);
  assert.deepEqual([type, attributes], ["confirmations", { status: "confirmed" }]);
  const [request] = await requests();
  assert.equal(request?.attributes["status"], "approved");
  assert.equal(request?.attributes["is-confirmed"], true);
  assert.equal(request?.relationships["decided-by"]?.data, null);
  const [membership] = await memberships();
  assert.ok(request && membership);
  assert.equal(linkedId(membership, "person"), linkedId(request, "person"));
  const person = one(await service.get(`/v1/people/${linkedId(request, "person")}`));
  assert.equal(person.attributes["membership-status"], "prospect");
  assert.equal(person.attributes["email"], "new@visitor.example");
});

test("200 · a confirmed request for an open cell is approved for the person of the address", async (context) => {
  const server = await mailed(context);
  const cellId = await makePublicCell({ join_policy: "open" });
  const known = await makePerson(service.db, accountId, { email: "known@church.example" });
  const path = await pathOfMail(server, cellId, "Known@Church.example");
  assert.equal((await confirm(path)).status, 200);
  const [request] = await requests();
  assert.equal(request?.attributes["status"], "approved");
  assert.equal(request && linkedId(request, "person"), known.id);
});

test("200 · otherwise a confirmed request waits for staff", async (context) => {
  const server = await mailed(context);
  const member = await makePerson(service.db, accountId, { email: "elsewhere@church.example" });
  const other = await makeCell(service.db, accountId);
  await join(service.db, accountId, other, member.id);
  const inactive = await makePerson(service.db, accountId, { email: "gone@church.example" });
  await service.db`update people set is_active = false where id = ${inactive.id}`;
  const open = { join_policy: "open" };
  for (const [columns, email, late] of [
    [{}, "one@visitor.example", {}],
    [open, "elsewhere@church.example", {}],
    [open, "gone@church.example", {}],
    [open, "two@visitor.example", { capacity: 1 }],
    [open, "three@visitor.example", { closed_at: "2026-01-01" }],
  ] as const) {
    const cellId = await makePublicCell(columns);
    const path = await pathOfMail(server, cellId, email);
    for (const [column, value] of Object.entries(late))
      await service.db`update cells set ${service.db(column)} = ${value} where id = ${cellId}`;
    if ("capacity" in late) {
      const { id } = await makePerson(service.db, accountId);
      await join(service.db, accountId, cellId, id);
    }
    assert.equal((await confirm(path)).status, 200);
    const [request] = (await requests()).filter((one) => linkedId(one, "cell") === cellId);
    assert.deepEqual(
      [request?.attributes["status"], request?.attributes["is-confirmed"]],
      ["pending", true],
      email,
    );
  }
});

test("200 · the button of the page works without script and gets a page", async (context) => {
  const server = await mailed(context);
  const path = await pathOfMail(server, await makePublicCell(), "ana@visitor.example");
  const answer = await confirm(path, FORM);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
  assert.ok(answer.text.includes("Your e-mail address is confirmed."));
  const reader = { "Accept-Language": "pt-BR,pt;q=0.9" };
  const wrong = await confirm(`${path.slice(0, -4)}AAAA`, { ...FORM, ...reader });
  assert.equal(wrong.status, 404);
  assert.ok(wrong.text.includes("Este link não vale mais"));
});

test("404 · a second tap says that the address is confirmed, with the header of the church", async (context) => {
  const server = await mailed(context);
  const path = await pathOfMail(server, await makePublicCell(), "twice@visitor.example");
  const { alias } = service.account;
  const [{ churchName } = { churchName: "" }] = await service.db<{ churchName: string }[]>`
    select church_name as "churchName" from accounts where id = ${accountId}`;
  for (const isShown of [false, true]) {
    await openPublicArea(service.db, accountId, { "public-pages": isShown });
    const page = await open(path);
    assert.equal(page.text.includes(`href="/c/${alias}/cells"`), isShown);
    assert.ok(page.text.includes(`<bdi>${churchName}</bdi>`), page.text);
  }
  assert.equal((await confirm(path, FORM)).status, 200);
  for (const again of [await open(path), await confirm(path, FORM)]) {
    assert.equal(again.status, 404);
    assert.ok(again.text.includes("Already confirmed"), again.text);
    assert.ok(again.text.includes(`href="/c/${alias}/cells"`), again.text);
    assert.ok(!again.text.includes("<button>"));
  }
  assert.equal((await requests()).length, 1);
});

test("404 · a token that is wrong, used or older than 48 hours confirms nothing", async (context) => {
  const server = await mailed(context);
  const cellId = await makePublicCell();
  const path = await pathOfMail(server, cellId, "first@visitor.example");
  const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(path)));
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 404, 404, 404],
  );
  const old = await pathOfMail(server, cellId, "second@visitor.example");
  await service.db`
    update visit_confirmations set expires_at = expires_at - interval '48 hours' where account_id = ${accountId}`;
  for (const wrong of [path, old, `${path.slice(0, -4)}AAAA`, path.replace(/[^/]+$/, "x")]) {
    const answer = await confirm(wrong);
    assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]]);
    assert.equal((await open(wrong)).status, 404);
  }
});

test("the database does not contain the token of a link", async (context) => {
  const server = await mailed(context);
  const path = await pathOfMail(server, await makePublicCell(), "ana@visitor.example");
  const token = path.split("/").at(-1) ?? "";
  const [row] = await service.db<{ rows: string }[]>`
    select string_agg(visit_confirmations::text, ' ') as rows from visit_confirmations`;
  assert.ok(!row?.rows.includes(token) && !row?.rows.includes(token.slice(30)));
});

test("202 · an address gets at most 3 mails a day, in whatever spelling", async (context) => {
  const server = await mailed(context);
  for (let n = 0; n < 5; n += 1) {
    const email = n % 2 === 0 ? "often@visitor.example" : "Often@Visitor.example";
    assert.equal((await ask(await makePublicCell(), email)).status, 202);
  }
  await allSent();
  assert.equal(server.received.length, 3);
});

test("202 · the queue tries again after the mail server was away", async (context) => {
  const server = await startMailServer();
  context.after(() => server.stop());
  server.reject("ana@visitor.example", "450 Try later");
  const [confirmations] = visitorsFeature.queues ?? [];
  assert.ok(confirmations);
  workOn(context, service.database, [{ ...confirmations, retryDelaySeconds: 0 }], {
    ...testServices(),
    mailer: createMailer({ url: server.url, from: "vestry@church.example" }),
  });
  const next = server.next();
  await service.db`update pgboss.queue set retry_delay = 1 where name = ${confirmations.name}`;
  await ask(await makePublicCell(), "ana@visitor.example");
  const path = pathIn((await next).text);
  assert.equal(server.tries(), 2);
  assert.equal((await confirm(path)).status, 200);
});

test("202 · without outgoing mail no mail is queued, and staff decide", async () => {
  const silent = await startService(BEHIND_PROXY);
  await openPublicArea(silent.db, silent.account.id);
  const cellId = await makeCell(silent.db, silent.account.id, { is_public: true });
  const answer = await sendAsVisitor(
    silent,
    silent.account.id,
    "cell-join-requests",
    document(
      "cell-join-requests",
      { contact: { "full-name": "Ana", "email": "ana@visitor.example" }, consent: true },
      { relationships: { cell: { data: { type: "cells", id: cellId } } } },
    ),
  );
  assert.equal(answer.status, 202);
  const jobs = await silent.db`
    select from pgboss.job where data ->> 'accountId' = ${silent.account.id}`;
  assert.equal(jobs.length, 0);
  await silent.stop();
});
