import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sweepInvitations } from "../../../src/features/sign-in/passwords/password-tokens.ts";
import { confirm, invite, logIn, revealed, sendMails, tokenIn } from "../../support/invitations.ts";
import { freshDatabase } from "../../support/database.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { makeAssignment, makePerson, makeRow } from "../../support/make.ts";
import { until } from "../../support/queues.ts";
import {
  codes,
  document,
  one,
  pointers,
  startService,
  type TestService,
} from "../../support/service.ts";
import { makeLogin } from "../../support/sign-in.ts";
import { together } from "../../support/together.ts";

let service: TestService;
let withMail: TestService;
before(async () => {
  service = await startService();
  const database = await freshDatabase("its worker sends the letters of every account");
  withMail = await startService({ database, sendsMail: true });
});
after(() => Promise.all([service.stop(), withMail.stop()]));

let made = 0;
/** A person with an e-mail address and no log-in. */
async function newPerson(
  resource: TestService = service,
  more: Parameters<typeof makePerson>[2] = {},
) {
  made += 1;
  const email = `person-${made}@church.example`;
  return { email, ...(await makePerson(resource.db, resource.account.id, { email, ...more })) };
}

/** A person with a preset role. */
async function staff(role: string, scope: { scopeType?: string; scopeIds?: string[] } = {}) {
  const person = await makePerson(service.db, service.account.id);
  await makeAssignment(service.db, service.account.id, { personId: person.id, role, ...scope });
  return person;
}

const password = "a long and private sentence";

test("201 · a link is handed over: it sets the password, and the person logs in", async () => {
  const person = await newPerson();
  const answer = await invite(service, person.id);
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { token, link } = revealed(answer);
  assert.equal(tokenIn(link), token);
  assert.match(link, /^http:\/\/localhost\/set-password#token=vpt_/);
  assert.equal((await confirm(service, token, password)).status, 204);
  assert.equal((await logIn(service, person.email, password)).status, 200);
});

test("201 · the invitation is read afterwards, without the token, and there is no list", async () => {
  const person = await newPerson();
  const { attributes, id } = one(await invite(service, person.id));
  const lifetimeMs =
    Date.parse(String(attributes["expires-at"])) - Date.parse(String(attributes["created-at"]));
  assert.equal(lifetimeMs, 72 * 60 * 60 * 1_000);
  const read = await service.get(`/v1/person-invitations/${id}`);
  assert.equal(read.status, 200);
  assert.deepEqual(one(read).attributes, attributes);
  assert.equal(attributes["sent-at"], null);
  assert.doesNotMatch(read.text, /vpt_/);
  assert.equal((await service.get("/v1/person-invitations")).status, 405);
  assert.equal((await service.delete(`/v1/person-invitations/${id}`)).status, 405);
});

test("201 · the database contains no token", async () => {
  const person = await newPerson();
  const { token } = revealed(await invite(service, person.id));
  const secret = token.slice("vpt_".length);
  const tables = await service.db<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`;
  for (const { name } of tables) {
    const rows = await service.db.query(`select row_to_json(t)::text as row from ${name} t`);
    assert.ok(!JSON.stringify(rows).includes(secret), name);
  }
});

test("201 · a newer invitation ends the older one", async () => {
  const person = await newPerson();
  const older = await invite(service, person.id);
  const newer = await invite(service, person.id);
  const used = await confirm(service, revealed(older).token, password);
  assert.deepEqual([used.status, codes(used)], [422, ["token-invalid"]]);
  const read = one(await service.get(`/v1/person-invitations/${one(older).id}`));
  assert.ok(Date.parse(String(read.attributes["expires-at"])) <= Date.now());
  assert.equal((await confirm(service, revealed(newer).token, password)).status, 204);
});

test("201 · one of several simultaneous invitations remains", async () => {
  const person = await newPerson();
  const answers = await together(
    service.db,
    service.account.id,
    Array.from({ length: 5 }, () => () => invite(service, person.id)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  const confirmed = await Promise.all(
    answers.map((answer) => confirm(service, revealed(answer).token, password)),
  );
  assert.deepEqual(
    confirmed.map(({ status }) => status).sort((a, b) => a - b),
    [204, 422, 422, 422, 422],
  );
});

test("201 · a repeated request with the same key returns another token of the same invitation", async () => {
  const person = await newPerson();
  const headers = { "Idempotency-Key": "invite" };
  const first = await invite(service, person.id, { delivery: "link" }, { headers });
  const second = await invite(service, person.id, { delivery: "link" }, { headers });
  assert.equal(one(second).id, one(first).id);
  assert.notEqual(revealed(second).token, revealed(first).token);
  assert.equal((await confirm(service, revealed(second).token, password)).status, 204);
  const third = await invite(service, person.id, { delivery: "link" }, { headers });
  assert.deepEqual([third.status, codes(third)], [409, ["secret-superseded"]]);
  assert.equal((await confirm(service, revealed(first).token, password)).status, 422);
});

test("201 · a person who forgot the password is invited too, and the old password ends", async () => {
  const person = await makeLogin(service.db, service.account, "forgetful");
  const { token } = revealed(await invite(service, person.id));
  assert.equal((await confirm(service, token, password)).status, 204);
  assert.equal((await logIn(service, person.email, password)).status, 200);
  assert.equal((await service.get("/v1/people/me", { as: person.token })).status, 401);
});

test("404 · an invitation is deleted 30 days after it is over", async () => {
  const person = await newPerson();
  const used = await invite(service, person.id);
  const open = await invite(service, (await newPerson()).id);
  assert.equal((await confirm(service, revealed(used).token, password)).status, 204);
  const statusAfter = async (days: number) => {
    const ids = [one(used).id, one(open).id];
    await service.db`
      update person_invitations set expires_at = now() - ${days} * interval '1 day' - interval '1 minute'
      where id = ${one(used).id}`;
    await sweepInvitations(service.db);
    const answers = ids.map((id) => service.get(`/v1/person-invitations/${id}`));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  assert.deepEqual(await statusAfter(29), [200, 200]);
  assert.deepEqual(await statusAfter(30), [404, 200]);
});

test("403 · a person of a higher administrative status is not invited", async () => {
  const secretary = await staff("secretary");
  for (const administrativeStatus of ["administrator", "full-administrator"] as const) {
    const person = await newPerson(service, { administrativeStatus });
    const answer = await invite(service, person.id, undefined, { as: secretary.token });
    assert.deepEqual([answer.status, codes(answer)], [403, ["forbidden"]]);
    assert.deepEqual(pointers(answer), ["/data/relationships/person"]);
  }
});

test("403 · the author and the assignee of a confidential note get no link from a caller who does not read it", async () => {
  const { account, db } = service;
  const secretary = await staff("secretary");
  const [author, assignee] = [await newPerson(), await newPerson()];
  const note = (columns: Record<string, string>) =>
    makeRow(db, "notes", account.id, {
      about_person_id: secretary.id,
      text: "She told me in confidence.",
      visibility: "confidential",
      ...columns,
    });
  const link = { delivery: "link" };
  const as = secretary.token;
  const open = revealed(await invite(service, author.id, link, { as }));
  await note({ author_id: author.id, assignee_id: assignee.id });
  for (const person of [author, assignee])
    for (const options of [{ as }, {}]) {
      const refused = await invite(service, person.id, link, options);
      assert.deepEqual([refused.status, codes(refused)], [403, ["forbidden"]]);
      assert.deepEqual(pointers(refused), ["/data/relationships/person"]);
    }
  // The link from before the note has ended too.
  const used = await confirm(service, open.token, password);
  assert.deepEqual([used.status, codes(used)], [422, ["token-invalid"]]);

  const { id: role_id } = one(
    await service.post(
      "/v1/roles",
      document("roles", { name: "Confessor", permissions: ["note-confidential:read"] }),
    ),
  );
  const reader = { person_id: secretary.id, role_id, scope_type: "account" };
  await makeRow(db, "role_assignments", account.id, reader);
  assert.equal((await invite(service, author.id, link, { as })).status, 201);
  // A note that everyone in scope reads gives nothing.
  const plain = await newPerson();
  await note({ author_id: plain.id, visibility: "staff" });
  assert.equal((await invite(service, plain.id)).status, 201);
});

test("403 · a caller whose role covers a cell invites only its people", async () => {
  const { account, db } = service;
  const cell = await makeRow(db, "cells", account.id, { name: "South" });
  const [inside, outside, caller] = [await newPerson(), await newPerson(), await newPerson()];
  await makeRow(db, "cell_memberships", account.id, {
    cell_id: cell,
    person_id: inside.id,
  });
  const { id: role } = one(
    await service.post(
      "/v1/roles",
      document("roles", { name: "Inviter", permissions: ["person-invitations:write"] }),
    ),
  );
  await makeRow(db, "role_assignments", account.id, {
    person_id: caller.id,
    role_id: role,
    scope_type: "cell",
    scope_ids: [cell],
  });
  const as = caller.token;
  const answer = await invite(service, inside.id, undefined, { as });
  assert.equal(answer.status, 201);
  const { id } = one(answer);
  assert.equal((await service.get(`/v1/person-invitations/${id}`, { as })).status, 200);
  const absent = "019b7e4c-4a50-7c1e-9d53-6a2f1c8e7b30";
  for (const personId of [outside.id, absent]) {
    const refused = await invite(service, personId, undefined, { as });
    assert.deepEqual([refused.status, codes(refused)], [403, ["forbidden"]]);
  }
  const other = one(await invite(service, outside.id)).id;
  assert.equal((await service.get(`/v1/person-invitations/${other}`, { as })).status, 404);
});

test("409 · a person needs an e-mail address and must be active", async () => {
  const without = await makePerson(service.db, service.account.id);
  const answer = await invite(service, without.id);
  assert.deepEqual([answer.status, codes(answer)], [409, ["email-missing"]]);
  assert.deepEqual(pointers(answer), ["/data/relationships/person"]);
  const inactive = await newPerson();
  await service.db`
    update people set is_active = false where account_id = ${service.account.id} and id = ${inactive.id}`;
  const refused = await invite(service, inactive.id);
  assert.deepEqual([refused.status, codes(refused)], [409, ["conflict"]]);
});

test("503 · without outgoing mail an invitation by mail is unavailable, and nothing is written", async () => {
  const person = await newPerson();
  const { token } = revealed(await invite(service, person.id));
  const answer = await invite(service, person.id, {});
  assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  assert.equal((await confirm(service, token, password)).status, 204);
});

test("201 · the mail arrives in the person's language, and its link sets the password", async (context) => {
  const server = await startMailServer();
  context.after(() => server.stop());
  sendMails(context, withMail, server);
  const { account, db } = withMail;
  await db`
    update accounts set church_name = 'São João & <b>Filhos</b>', email = 'office@church.example',
      settings = '{"lang": "es"}' where id = ${account.id}`;
  const person = await newPerson(withMail, { fullName: "Ana <script>" });
  await db`update people set locale = 'pt-PT' where account_id = ${account.id} and id = ${person.id}`;
  const next = server.next();
  const answer = await invite(withMail, person.id, {});
  assert.equal(answer.status, 201);
  assert.equal(one(answer).meta, undefined);
  assert.equal(one(answer).attributes["delivery"], "email");

  const mail = await next;
  assert.equal(mail.subject, "Seu convite para São João & <b>Filhos</b>");
  assert.deepEqual(mail.to, [{ name: "Ana <script>", address: person.email }]);
  assert.equal(mail.from?.name, "São João & <b>Filhos</b>");
  assert.equal(mail.replyTo?.[0]?.address, "office@church.example");
  assert.doesNotMatch(mail.html ?? "", /<script|<b>Filhos/);
  assert.ok(mail.text?.includes(`https://app.church.example com o e-mail ${person.email}`));
  assert.ok(mail.text?.includes(account.alias));
  const [link = ""] = /http:\/\/localhost\/set-password#\S+/.exec(mail.text ?? "") ?? [];
  assert.ok(mail.html?.includes(link.replaceAll("&", "&amp;")));
  assert.match(link, /&lang=pt-BR$/);

  const path = `/v1/person-invitations/${one(answer).id}`;
  await until(async () => one(await withMail.get(path)).attributes["sent-at"] ?? undefined);
  assert.equal((await confirm(withMail, tokenIn(link), password)).status, 204);
  assert.equal((await logIn(withMail, person.email, password)).status, 200);
});

test("201 · a mail that is rejected for now is sent again, and one that is rejected for good is not", async (context) => {
  const server = await startMailServer();
  context.after(() => server.stop());
  const { db } = withMail;
  // Jobs copy these settings.
  await db`
    update pgboss.queue set retry_delay = 0, retry_backoff = false where name = 'invitation-mails'`;
  const [refused, greylisted] = [await newPerson(withMail), await newPerson(withMail)];
  server.reject(refused.email, "550 Unknown");
  server.reject(greylisted.email, "450 Try later", "451 Try later");
  assert.equal((await invite(withMail, refused.id, {})).status, 201);
  const answer = await invite(withMail, greylisted.id, {});
  const next = server.next();
  sendMails(context, withMail, server);
  const mail = await next;
  assert.equal(mail.to?.[0]?.address, greylisted.email);
  assert.equal(server.tries(), 4);
  assert.equal(server.received.length, 1);
  // Each attempt made a token. All end with the first use.
  const tokens = await db`
    select from password_tokens
    where account_id = ${withMail.account.id} and invitation_id = ${one(answer).id}`;
  assert.equal(tokens.length, 3);
  const [link = ""] = /http:\/\/localhost\/set-password#\S+/.exec(mail.text ?? "") ?? [];
  assert.equal((await confirm(withMail, tokenIn(link), password)).status, 204);
  const left = await db`
    select from password_tokens where account_id = ${withMail.account.id} and person_id = ${greylisted.id}`;
  assert.equal(left.length, 0);
});
