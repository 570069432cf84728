import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { vestry } from "../support/command.ts";
import { makeEndpoint } from "../support/make.ts";
import { codes, document, etag, one, startService } from "../support/service.ts";

const service = await startService();
after(() => service.stop());
const env = { DATABASE_URL: service.database.url };
const run = (args: string[], input?: string) =>
  vestry([...args, "--json"], { env, ...(input !== undefined && { input }) });

const create = (alias: string, password: string) => {
  const options = { alias, "church-name": "São Marcos", "admin-name": "Ana Lima" };
  const given = Object.entries({ ...options, "admin-email": "Ana@marcos.example" });
  const args = given.map(([name, value]) => `--${name}=${value}`);
  return run(["accounts", "create", ...args, "--admin-password-stdin"], password);
};

const logIn = (account: string, password: string) =>
  service.post(
    "/authenticate",
    { username: "ana@marcos.example", password, account },
    { as: null, headers: { "Content-Type": "application/json" } },
  );

test("create · the account has roles and a full administrator who can log in", async () => {
  const made = await create("sao-marcos", "a lontra dança\n");
  assert.equal(made.status, 0, made.stdout);
  const answer = await logIn("sao-marcos", "a lontra dança");
  assert.equal(answer.status, 200);

  const { access_token: token } = answer.document as unknown as { access_token: string };
  const me = await service.get("/v1/people/me", { as: token });
  assert.match(me.text, /"administrative-status":"full-administrator"/);
  assert.match((await service.get("/v1/roles", { as: token })).text, /"code":"pastor"/);
});

test("create · the account has the country, language, time zone and currency that are given", async () => {
  const make = (alias: string, ...settings: string[]) =>
    run(
      [
        "accounts",
        "create",
        "--alias",
        alias,
        "--church-name",
        "Igreja",
        "--admin-name",
        "Ana",
        "--admin-email",
        "ana@igreja.example",
        "--admin-password-stdin",
        ...settings,
      ],
      "a lontra dança",
    );
  const given = ["--country=BR", "--lang=pt-BR", "--time-zone=America/Sao_Paulo", "--currency=BRL"];
  const made = await make("igreja", ...given);
  assert.equal(made.status, 0, made.stdout);
  const { account } = made.json as { account: { id: string } };
  const [row] = await service.db`select settings from accounts where id = ${account.id}`;
  assert.deepEqual(row?.["settings"], {
    "country": "BR",
    "lang": "pt-BR",
    "time-zone": "America/Sao_Paulo",
    "currency": "BRL",
  });
  for (const wrong of ["--country=ZZ", "--lang=p", "--time-zone=Brazil", "--currency=real"]) {
    const refused = await make("igreja-2", wrong);
    assert.equal(refused.status, 2, wrong);
    assert.match(refused.stdout, new RegExp(wrong.split("=")[0] ?? ""));
  }
});

test("create · a second account with the same alias is rejected and changes nothing", async () => {
  const again = await create("sao-marcos", "another one");
  assert.equal(again.status, 1);
  assert.equal((again.json["error"] as Record<string, string>)["code"], "already-exists");
  assert.equal((await logIn("sao-marcos", "another one")).status, 401);
});

test("create · passwords, aliases and names follow the rules of the API", async () => {
  const short = await create("other-account", "1234567");
  assert.match(short.stdout, /invalid-password.*at least 8 characters/);
  const common = await create("other-account", "senha12345");
  assert.match(common.stdout, /invalid-password.*most common passwords/);
  const named = await create("other-account", "other account 26");
  assert.match(named.stdout, /invalid-password.*the alias of the church/);
  const empty = await create("other-account", "");
  assert.equal(empty.status, 1);
  const alias = await create("Other Account", "long enough");
  assert.match(alias.stdout, /"usage".*--alias/);
  const unseen = await run(["integrations", "create", "--name", "\u200b"]);
  assert.match(unseen.stdout, /--name/);
  const [none] = await service.db`select from accounts where alias = 'other-account'`;
  assert.equal(none, undefined);
});

test("create · an alias has 3 to 40 letters and digits, with single hyphens between them", async () => {
  const longest = Array(40).fill("a").join("-");
  for (const alias of ["abc", "1-2-3", "a".repeat(40), longest])
    assert.equal((await create(alias, "long enough")).status, 0, alias);
  for (const alias of [
    "ab",
    "a-b",
    "a".repeat(41),
    `${longest}-a`,
    "-abc",
    "abc-",
    "a--bc",
    "a_bc",
  ])
    assert.match((await create(alias, "long enough")).stdout, /"usage".*--alias/, alias);
});

test("list · shows every account by alias, with its status and approval", async () => {
  await create("listed-b", "long enough");
  await create("listed-a", "long enough");
  await run(["accounts", "approve", "--alias", "listed-a"]);
  await run(["accounts", "deactivate", "--alias", "listed-b"]);
  const listed = (await run(["accounts", "list"])).json["accounts"] as Record<string, unknown>[];
  const both = listed.filter(({ alias }) => String(alias).startsWith("listed-"));
  assert.equal(both.length, 2);
  assert.partialDeepStrictEqual(both, [
    {
      "alias": "listed-a",
      "church-name": "São Marcos",
      "status": "active",
      "integration-approved": true,
    },
    {
      "alias": "listed-b",
      "church-name": "São Marcos",
      "status": "inactive",
      "integration-approved": false,
    },
  ]);
});

test("integrations list · shows each integration once, with the accounts that allow it and without its token", async () => {
  const { alias } = service.account;
  await create("allowing", "long enough");
  const [listing, ended] = await Promise.all(
    ["Listing", "Ended"].map(async (name) => {
      const { json } = await run(["integrations", "create", "--name", name]);
      return { ...(json["integration"] as { id: string }), token: String(json["client-token"]) };
    }),
  );
  assert.ok(listing && ended);
  for (const account of [alias, "allowing", alias])
    assert.equal(
      (await run(["integrations", "allow", "--id", listing.id, "--alias", account])).status,
      0,
    );
  await run(["integrations", "revoke", "--id", ended.id]);
  const { json, stdout } = await run(["integrations", "list"]);
  const listed = json["integrations"] as { id: string }[];
  assert.deepEqual(
    listed.filter(({ id }) => [listing.id, ended.id].includes(id)),
    [
      { "id": ended.id, "name": "Ended", "revoked": true, "allowed-by": [] },
      {
        "id": listing.id,
        "name": "Listing",
        "revoked": false,
        "allowed-by": ["allowing", alias].toSorted(),
      },
    ],
  );
  for (const { token } of [listing, ended]) assert.ok(!stdout.includes(token));
});

test("deactivate and activate · tokens of an inactive account get 403 until it is active again", async () => {
  const { alias } = service.account;
  assert.equal((await service.get("/v1/people")).status, 200);
  assert.equal((await run(["accounts", "deactivate", "--alias", alias])).status, 0);
  const refused = await service.get("/v1/people");
  assert.equal(refused.status, 403);
  assert.deepEqual(codes(refused), ["account-inactive"]);
  await run(["accounts", "activate", "--alias", alias]);
  assert.equal((await service.get("/v1/people")).status, 200);
});

test("approve and unapprove · an integration can access only an approved account that allows it", async () => {
  const { alias } = service.account;
  const made = await run(["integrations", "create", "--name", "Newsletter"]);
  const token = made.json["client-token"] as string;
  const { id } = made.json["integration"] as { id: string };
  const call = (clientToken = token) =>
    service.get("/v1/people", { headers: { "Origin": null, "X-SVC-API-Token": clientToken } });

  assert.deepEqual(codes(await call()), ["church-not-approved"]);
  await run(["accounts", "approve", "--alias", alias]);
  assert.deepEqual(codes(await call()), ["integration-not-allowed"]);
  await run(["integrations", "allow", "--id", id, "--alias", alias]);
  assert.equal((await call()).status, 200);

  const rotated = await run(["integrations", "rotate", "--id", id]);
  assert.deepEqual(codes(await call()), ["client-token-invalid"]);
  const second = rotated.json["client-token"] as string;
  assert.equal((await call(second)).status, 200);

  await run(["integrations", "disallow", "--id", id, "--alias", alias]);
  assert.deepEqual(codes(await call(second)), ["integration-not-allowed"]);
  await run(["integrations", "allow", "--id", id, "--alias", alias]);
  await run(["accounts", "unapprove", "--alias", alias]);
  assert.deepEqual(codes(await call(second)), ["church-not-approved"]);

  const revoked = await run(["integrations", "revoke", "--id", id]);
  assert.equal(revoked.status, 0);
  assert.deepEqual(codes(await call(second)), ["client-token-invalid"]);
  assert.equal((await run(["integrations", "rotate", "--id", id])).status, 1);
});

test("an unknown account or integration is named", async () => {
  assert.match(
    (await run(["accounts", "approve", "--alias", "nowhere"])).stdout,
    /not-found.*nowhere/,
  );
  const unknown = await run(["integrations", "allow", "--id", "nothing", "--alias", "nowhere"]);
  assert.match(unknown.stdout, /not-found.*integration/);
});

test("approve and unapprove · change the version of the account", async () => {
  const { account } = service;
  const read = () => service.get("/v1/accounts/me");
  const rename = (tag: string) =>
    service.patch(
      "/v1/accounts/me",
      document("accounts", { acronym: newId().slice(-8) }, { id: account.id }),
      { headers: { "If-Match": tag } },
    );
  for (const verb of ["approve", "unapprove"]) {
    const before = await read();
    await run(["accounts", verb, "--alias", account.alias]);
    const stale = await rename(etag(before));
    assert.deepEqual([stale.status, ...codes(stale)], [409, "stale-version"], verb);
    const after = await read();
    const [was, is] = [before, after].map((answer) => one(answer).attributes["modified-at"]);
    assert.ok(String(is) > String(was), verb);
    assert.equal((await rename(etag(after))).status, 200);
  }
});

test("approve and deactivate · capture account.updated with the snapshot that the API captures", async () => {
  const { account, db } = service;
  await makeEndpoint(db, account.id);
  const set = document("accounts", { settings: { lang: "pt-PT" } }, { id: account.id });
  await service.patch(`/v1/accounts/${account.id}`, set);
  // The second call changes nothing and captures nothing.
  for (const verb of ["approve", "unapprove", "deactivate", "activate"])
    for (const _ of [1, 2]) await run(["accounts", verb, "--alias", account.alias]);

  const [first, ...told] = await db<
    { changed: string[]; actor: string | null; attributes: Record<string, unknown> }[]
  >`
    select changed_fields as changed, actor_id as actor, snapshot::json -> 'attributes' as attributes
    from webhook_events where account_id = ${account.id} and event_type = 'account.updated' order by occurred_at`;
  const approval = "integration-approved";
  assert.deepEqual(
    told.map(({ actor, attributes, changed }) => [
      changed,
      attributes["status"],
      attributes[approval],
      actor,
    ]),
    [
      [[approval], "active", true, null],
      [[approval], "active", false, null],
      [["status"], "inactive", false, null],
      [["status"], "active", false, null],
    ],
  );
  for (const { attributes } of told) {
    assert.deepEqual(Object.keys(attributes), Object.keys(first?.attributes ?? {}));
    assert.deepEqual(attributes["settings"], { lang: "pt-PT" });
  }
});
