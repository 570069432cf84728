import assert from "node:assert/strict";
import { after, test } from "node:test";
import { vestry, vestryProcess } from "../support/command.ts";
import { makeAccount, makeEndpoint, makePerson } from "../support/make.ts";
import { codes, document, etag, one, startService } from "../support/service.ts";

const service = await startService();
after(() => service.stop());
const env = { DATABASE_URL: service.database.url };
const { alias } = service.account;
const run = (args: string[], input?: string) =>
  vestry([...args, "--alias", alias, "--json"], { env, ...(input !== undefined && { input }) });
const errorOf = ({ json }: { json: Record<string, unknown> }) =>
  (json["error"] as Record<string, string> | undefined)?.["code"];

const logIn = async (password: string) =>
  service.post(
    "/authenticate",
    { username: "bia@grace.example", password, account: alias },
    { as: null, headers: { "Content-Type": "application/json" } },
  );
const tokenOf = async (password: string) =>
  ((await logIn(password)).document as unknown as { access_token: string }).access_token;

const bia = ["--email", "bia@grace.example"];

test("create · the person can log in and has the given administrative status", async () => {
  const made = await run(
    ["people", "create", "--full-name", "Bia Núñez", ...bia, "--password-stdin"],
    "first word\r\n",
  );
  assert.equal(made.status, 0, made.stdout);
  assert.equal((await logIn("first word")).status, 200);
  const { id } = made.json["person"] as { id: string };
  const person = await service.get(`/v1/people/${id}`);
  assert.match(person.text, /"administrative-status":"none"/);
});

test("as a process · the password is read from standard input, and standard output is one JSON object", async () => {
  const person = ["--full-name", "Child", "--email", "child@grace.example", "--password-stdin"];
  const made = await vestryProcess(["people", "create", "--alias", alias, ...person, "--json"], {
    env,
    input: "of a process\n",
  });
  assert.equal(made.status, 0, made.stdout);
  assert.equal(made.stderr, "");
  assert.deepEqual(Object.keys(made.json), ["person"]);
});

test("create · an e-mail address in use is rejected in any case", async () => {
  const args = ["--full-name", "Other", "--email", "BIA@grace.example", "--password-stdin"];
  assert.equal(errorOf(await run(["people", "create", ...args], "long enough")), "already-exists");
});

test("list · shows the people of one account by name, with the values that other commands need", async () => {
  const other = await makeAccount(service.db);
  const listed = async (...args: string[]) =>
    (await run(["people", "list", ...args])).json["people"] as Record<string, unknown>[];
  const [, person] = await listed();
  assert.match(String(person?.["id"]), /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    (await listed()).map((shown) => Object.values(shown).slice(1)),
    [
      ["Ada Administrator", `ada@${alias}.example`, true, "full-administrator", false],
      ["Bia Núñez", "bia@grace.example", true, "none", true],
      ["Child", "child@grace.example", true, "none", true],
    ],
  );
  assert.deepEqual(
    (await listed("--administrative-status", "full-administrator")).map(({ email }) => email),
    [`ada@${alias}.example`],
  );
  for (const fullName of ["Zoe", "álvaro"]) await makePerson(service.db, other.id, { fullName });
  const { stdout } = await vestry(["people", "list", "--alias", other.alias], { env });
  assert.doesNotMatch(stdout, /grace\.example/);
  assert.match(stdout, /Ada Administrator.*\n.*álvaro.*\n.*Zoe/);
  assert.equal(
    errorOf(await vestry(["people", "list", "--alias", "nobody", "--json"], { env })),
    "not-found",
  );
});

test("set-password · the new password works, the old one and every access token do not", async () => {
  const token = await tokenOf("first word");
  assert.equal((await service.get("/v1/people/me", { as: token })).status, 200);
  const set = await run(["people", "set-password", ...bia, "--password-stdin"], "second word");
  assert.equal(set.status, 0, set.stdout);
  assert.equal((await service.get("/v1/people/me", { as: token })).status, 401);
  assert.equal((await logIn("first word")).status, 401);
  assert.equal((await logIn("second word")).status, 200);
});

test("set-password · spaces belong to the password, and the case of the address does not matter", async () => {
  const shouted = ["--email", "BIA@GRACE.example", "--password-stdin"];
  const set = await run(["people", "set-password", ...shouted], "  spaced word \n");
  assert.equal(set.status, 0, set.stdout);
  assert.equal((await logIn("spaced word")).status, 401);
  assert.equal((await logIn("  spaced word ")).status, 200);
  await run(["people", "set-password", ...bia, "--password-stdin"], "second word");
});

test("create, set-password · a common password and one with a name are refused", async () => {
  const set = (password: string) =>
    run(["people", "set-password", ...bia, "--password-stdin"], password);
  assert.match((await set("password1")).stdout, /invalid-password.*most common passwords/);
  assert.match((await set("bia núñez 1")).stdout, /invalid-password.*name of the person/);
  const other = ["--full-name", "Eva Prado", "--email", "eva@grace.example", "--password-stdin"];
  const made = await run(["people", "create", ...other], "meu prado 7");
  assert.match(made.stdout, /invalid-password.*name of the person/);
});

test("set-password · an unknown address is reported", async () => {
  const args = ["--email", "nobody@grace.example", "--password-stdin"];
  assert.equal(errorOf(await run(["people", "set-password", ...args], "long enough")), "not-found");
});

test("deactivate · revokes tokens, blocks log-in and records the time; activate reverts this", async () => {
  const token = await tokenOf("second word");
  assert.deepEqual((await run(["people", "deactivate", ...bia])).json["changed"], true);
  assert.deepEqual(codes(await service.get("/v1/people/me", { as: token })), [
    "credentials-invalid",
  ]);
  assert.equal((await logIn("second word")).status, 401);
  const [row] = await service.db`
    select is_active, deactivated_at is not null as dated from people where email = 'bia@grace.example'`;
  assert.deepEqual({ ...row }, { is_active: false, dated: true });
  assert.deepEqual((await run(["people", "deactivate", ...bia])).json["changed"], false);

  await run(["people", "activate", "--email", "BIA@Grace.example"]);
  assert.equal((await logIn("second word")).status, 200);
  const [back] = await service.db`
    select deactivated_at from people where email = 'bia@grace.example'`;
  assert.equal(back?.["deactivated_at"], null);
});

test("set-password, deactivate, activate · make an earlier ETag stale", async () => {
  const { id } = await makePerson(service.db, service.account.id, { email: "gus@grace.example" });
  const path = `/v1/people/${id}`;
  for (const verb of ["set-password", "deactivate", "activate"]) {
    const before = await service.get(path);
    const more = verb === "set-password" ? ["--password-stdin"] : [];
    await run(["people", verb, "--email", "gus@grace.example", ...more], "long enough");
    const change = document("people", { occupation: verb }, { id });
    const stale = await service.patch(path, change, { headers: { "If-Match": etag(before) } });
    assert.deepEqual([stale.status, ...codes(stale)], [409, "stale-version"], verb);
    const [was, is] = [before, await service.get(path)].map(
      (answer) => one(answer).attributes["modified-at"],
    );
    assert.ok(String(is) > String(was), verb);
  }
  await service.delete(path);
});

test("create, set-password, deactivate, activate · capture the events of the API, without an actor", async () => {
  const { account, db } = service;
  await makeEndpoint(db, account.id);
  const fields = { hidden: { "type": "string", "read-access": "staff" }, open: { type: "string" } };
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { "custom-properties": { people: fields } }, { id: account.id }),
  );
  const custom = { hidden: "no", open: "yes" };
  const added = one(
    await service.post(
      "/v1/people",
      document("people", {
        "full-name": "Dora",
        "email": "dora@grace.example",
        "medical-notes": "none of theirs",
        "custom-properties": custom,
      }),
    ),
  );
  const eve = ["--full-name", "Eve", "--email", "eve@grace.example", "--password-stdin"];
  await run(["people", "create", ...eve], "long enough");
  const dora = ["--email", "dora@grace.example"];
  await run(["people", "set-password", ...dora, "--password-stdin"], "long enough");
  await run(["people", "set-password", ...dora, "--password-stdin"], "another one");
  await run(["people", "deactivate", ...dora]);
  await run(["people", "activate", ...dora]);

  const [first, created, ...told] = await db<Told[]>`
    select event_type as type, changed_fields as changed, actor_id as actor, cause, snapshot::json as snapshot
    from webhook_events where account_id = ${account.id} and event_type like 'person.%' order by occurred_at, event_type desc`;
  assert.ok(first && created);
  assert.deepEqual([created.type, created.actor], ["person.created", null]);
  assert.equal(first.cause, "ui");
  assert.deepEqual(new Set([created, ...told].map(({ cause }) => cause)), new Set(["system"]));
  assert.partialDeepStrictEqual(created.snapshot.attributes, {
    "full-name": "Eve",
    "email": "eve@grace.example",
    "has-login": true,
  });
  assert.deepEqual(
    told.map(({ actor, changed, type }) => [type, changed, actor]),
    [
      ["person.updated", ["has-login"], null],
      ["person.updated", ["is-active"], null],
      ["person.deactivated", null, null],
      ["person.updated", ["is-active"], null],
      ["person.reactivated", null, null],
    ],
  );
  const members = (of: Told) => [Object.keys(of.snapshot.attributes), of.snapshot.relationships];
  for (const event of told) {
    assert.deepEqual(members(event), members(first), event.type);
    assert.equal(event.snapshot.id, added.id);
    assert.deepEqual(event.snapshot.attributes["custom-properties"], { open: "yes" });
  }
  assert.deepEqual(
    told.map(({ snapshot }) => snapshot.attributes["is-active"]),
    [true, false, false, true, true],
  );
});

interface Told {
  type: string;
  changed: string[] | null;
  actor: string | null;
  cause: string;
  snapshot: {
    id: string;
    attributes: Record<string, unknown>;
    relationships: Record<string, unknown>;
  };
}

test("deactivate · rejects the last active full administrator", async () => {
  const administrator = ["--email", `ada@${alias}.example`];
  const refused = await run(["people", "deactivate", ...administrator]);
  assert.equal(refused.status, 1);
  assert.equal(errorOf(refused), "last-full-administrator");
  assert.equal((await service.get("/v1/people/me")).status, 200);

  const second = ["--full-name", "Second", "--email", "second@grace.example"];
  const standing = ["--administrative-status", "full-administrator", "--password-stdin"];
  await run(["people", "create", ...second, ...standing], "long enough");
  assert.equal((await run(["people", "deactivate", ...administrator])).status, 0);
});
