import assert from "node:assert/strict";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { after, before, describe, test, type TestContext } from "node:test";
import {
  copyIntegrations,
  createIntegration,
  revokeIntegration,
} from "../src/access/integrations.ts";
import { COPY_MS_MAX } from "../src/access/logins.ts";
import { newId } from "../src/base/ids.ts";
import { onObservation } from "../src/base/observe.ts";
import { directoryJob } from "../src/features/accounts/directory.ts";
import { fileSweeps } from "../src/jsonapi/sql/files.ts";
import {
  LOOK_MS,
  numberServers,
  ServersMissing,
  watchServerCount,
  WrongServer,
} from "../src/store/number-servers.ts";
import { connect, inGlobalTransaction } from "../src/store/db.ts";
import { KNOWN_MS } from "../src/store/directory.ts";
import { connectServers } from "../src/store/servers.ts";
import { keyOf } from "../src/store/files/file-store.ts";
import type { Page } from "../src/cli/account-list.ts";
import { vestry } from "./support/command.ts";
import { type FreshDatabase, freshServers } from "./support/database.ts";
import { startNode as startWhole } from "./support/node.ts";
import { makeLiveEndpoint } from "./support/engine.ts";
import { PATIENCE_MS, patient } from "./support/patience.ts";
import { noRecentPooler, type Pooler, startPooler } from "./support/pooler.ts";
import { holdTimers } from "./support/held-timers.ts";
import { filesIn, freshDirectory } from "./support/files.ts";
import { makeAccount, makeIntegration, type TestAccount } from "./support/make.ts";
import { testServices } from "./support/queues.ts";
import {
  codes,
  FIRST_PARTY,
  PUBLIC_URL,
  startService,
  type TestService,
} from "./support/service.ts";
import { makeLogin, PASSWORD } from "./support/sign-in.ts";

/** Accounts on two servers. `TEST_SERVERS=2 npm test` runs the interface with them; this file has what only they have. */

let home: FreshDatabase;
let second: FreshDatabase;
let service: TestService;
/** An account on the home, and one on the second server. */
let near: TestAccount;
let far: TestAccount;

before(async () => {
  ({ home, second } = await freshServers("the test needs two servers"));
  near = await makeAccount(home.db);
  service = await startService({ database: second });
  far = service.account;
});
after(async () => {
  await service.stop();
  await home.close();
});

const json = { "Content-Type": "application/json" };
const logIn = (account: string, username: string, password = PASSWORD) =>
  service.post("/authenticate", JSON.stringify({ account, username, password }), {
    as: null,
    headers: json,
  });
const accountsOf = async (username: string): Promise<string[]> => {
  const body = JSON.stringify({ username });
  const answer = await service.post("/authenticate-username", body, { as: null, headers: json });
  const { accounts = [] } = JSON.parse(answer.text) as { accounts?: { alias: string }[] };
  return accounts.map(({ alias }) => alias).sort();
};
const meOf = (token: string) => service.get("/v1/people/me", { as: token });

describe("log-ins", () => {
  test("a person logs in by alias and by address, on each server and on both", async () => {
    const [one, other] = [
      await makeLogin(home.db, near, "ana", { email: "ana@both.example" }),
      await makeLogin(second.db, far, "ana", { email: "ana@both.example" }),
    ];
    for (const alias of [near.alias, far.alias])
      assert.equal((await logIn(alias, "ana@both.example")).status, 200);
    assert.deepEqual(await accountsOf("ana@both.example"), [near.alias, far.alias].sort());
    for (const { token } of [one, other]) assert.equal((await meOf(token)).status, 200);
  });

  test("a changed address and a deleted person are known at once", async () => {
    const person = await makeLogin(second.db, far, "rui");
    assert.deepEqual(await accountsOf(person.email), [far.alias]);
    const path = `/v1/people/${person.id}`;
    const read = await service.get(path);
    const changed = await service.patch(
      path,
      { data: { type: "people", id: person.id, attributes: { email: "rui@new.example" } } },
      { headers: { "If-Match": read.headers.get("etag") } },
    );
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(await accountsOf(person.email), []);
    assert.deepEqual(await accountsOf("rui@new.example"), [far.alias]);
    const again = await service.get(path);
    const headers = { "If-Match": again.headers.get("etag") };
    assert.equal((await service.delete(path, { headers })).status, 204);
    assert.deepEqual(await accountsOf("rui@new.example"), []);
  });

  test("failed tries of all accounts count at home, and a right password ends them there", async () => {
    const { email } = await makeLogin(second.db, far, "eva");
    await home.db`delete from counters`;
    for (let n = 0; n < 3; n += 1)
      assert.equal((await logIn(far.alias, email, "wrong password")).status, 401);
    const failures = () =>
      home.db<{ failures: number }[]>`select requests as failures from counters where requests > 0`;
    assert.deepEqual(
      [...(await failures())].map((row) => row.failures),
      [3, 3],
    );
    assert.equal((await logIn(far.alias, email)).status, 200);
    assert.deepEqual(
      [...(await failures())].map((row) => row.failures),
      [3],
    );
    const [here] = await second.db<{ count: number }[]>`select count(*) from counters`;
    assert.equal(here?.count, 0);
  });
});

describe("the directory", () => {
  const env = () => ({
    DATABASE_SHARDS: `${home.url} ${second.url}`,
    ENCRYPTION_KEYS: `k:${"A".repeat(43)}=`,
  });
  const create = (alias: string, server: number) =>
    vestry(
      [
        "accounts",
        "create",
        "--alias",
        alias,
        "--church-name",
        "Far",
        "--server",
        String(server),
        "--admin-name",
        "Ada",
        "--admin-email",
        "ada@far.example",
        "--admin-password-stdin",
        "--json",
      ],
      { env: env(), input: "a long enough password" },
    );

  test("an alias is unique on all servers, also when several want it at once", async () => {
    const made = await Promise.all([1, 2, 2, 1, 2, 1].map((server) => create("wanted", server)));
    assert.deepEqual(
      Object.entries(Object.groupBy(made, ({ status }) => String(status))).map(([status, all]) => [
        status,
        all?.length,
      ]),
      [
        ["0", 1],
        ["1", 5],
      ],
    );
    const [listed] = await home.db<{ id: string; server: number }[]>`
      select account_id as id, server from account_homes where alias = 'wanted'`;
    const counts = await Promise.all(
      [home, second].map(
        async ({ db }) => (await db`select from accounts where alias = 'wanted'`).count,
      ),
    );
    assert.deepEqual(counts, listed?.server === 1 ? [1, 0] : [0, 1]);
    assert.equal((await logIn("wanted", "ada@far.example", "a long enough password")).status, 200);
  });

  test("an account of another server is listed, changed and deleted by its alias", async () => {
    assert.equal((await create("leaving", 2)).status, 0);
    const listed = await vestry(["accounts", "list", "--json"], { env: env() });
    const { accounts } = listed.json as { accounts: { alias: string; server: number }[] };
    assert.equal(accounts.find(({ alias }) => alias === "leaving")?.server, 2);
    assert.equal(
      (await vestry(["people", "list", "--alias", "leaving"], { env: env() })).status,
      0,
    );
    for (const args of [["deactivate"], ["delete", "--yes"]]) {
      const [verb = "", ...more] = args;
      const ran = await vestry(["accounts", verb, "--alias", "leaving", ...more], { env: env() });
      assert.equal(ran.status, 0, ran.stderr);
    }
    const left = await home.db`
      select from account_homes where alias = 'leaving'
      union all select from logins where email = 'ada@far.example' and account_id not in (select account_id from account_homes)`;
    assert.equal(left.count, 0);
    assert.equal((await create("leaving", 1)).status, 0, "the alias is free again");
  });

  test("the job of a server repairs what its operations left different", async () => {
    const { email } = await makeLogin(second.db, far, "ivo");
    const { id } = await makeIntegration(second.db);
    assert.equal(await directoryJob.run(second.db), 0, "nothing differs");
    await home.db`delete from logins where email = ${email}`;
    await home.db`insert into logins (email, account_id, person_id) values ('nobody@far.example', ${far.id}, ${newId()})`;
    await home.db`delete from account_homes where account_id = ${far.id}`;
    await home.db`
      insert into account_homes (account_id, alias, server, created_at)
      values (${newId()}, 'long-gone', 2, now() - interval '2 hours'), (${newId()}, 'under-way', 2, now())`;
    await revokeIntegration(home.db, { id });
    assert.equal(await directoryJob.run(second.db), 4);
    assert.equal(await directoryJob.run(second.db), 0);
    assert.deepEqual(await accountsOf(email), [far.alias]);
    assert.deepEqual(await accountsOf("nobody@far.example"), []);
    const aliases = await home.db<{ alias: string }[]>`
      select alias from account_homes where alias in (${far.alias}, 'long-gone', 'under-way') order by alias`;
    assert.deepEqual(
      aliases.map(({ alias }) => alias),
      [far.alias, "under-way"].sort(),
    );
    const [copy] = await second.db<{ revoked: boolean }[]>`
      select revoked_at is not null as revoked from integrations where id = ${id}`;
    assert.equal(copy?.revoked, true);
    await home.db`delete from account_homes where alias = 'under-way'`;
  });

  test("a new integration is copied before an account of another server allows it", async () => {
    const { id, token } = await createIntegration(home.db, { name: `Sync ${newId()}` });
    await vestry(["accounts", "approve", "--alias", far.alias], { env: env() });
    const ran = await vestry(["integrations", "allow", "--id", id, "--alias", far.alias], {
      env: env(),
    });
    assert.equal(ran.status, 0, ran.stderr);
    const headers = { "Origin": null, "X-SVC-API-Token": token };
    assert.equal((await service.get("/v1/people/me", { headers })).status, 200);
    assert.equal(await copyIntegrations(home.db, second.db), 0);
  });

  test("accounts are listed by server and in pages, with their people and bytes", async () => {
    await Promise.all(
      [far, near].map(({ alias }) =>
        vestry(["accounts", "approve", "--alias", alias], { env: env() }),
      ),
    );
    const list = async (...args: string[]) =>
      (await vestry(["accounts", "list", "--json", ...args], { env: env() }))
        .json as unknown as Page;
    const all = (await list()).accounts;
    const aliases = all.map(({ alias }) => alias);
    assert.deepEqual(aliases, [...aliases].sort());
    assert.ok(aliases.includes(near.alias) && aliases.includes(far.alias));
    const there = (await list("--server", "2")).accounts;
    assert.deepEqual(
      there,
      all.filter(({ server }) => server === 2),
    );
    const [{ count: people } = { count: 0 }] = await second.db<{ count: number }[]>`
      select count(*)::integer as count from people where account_id = ${far.id}`;
    const listed = there.find(({ alias }) => alias === far.alias);
    assert.equal(listed?.people, people);
    assert.ok((listed?.bytes ?? 0) > 1_000);
    assert.ok(Math.abs(Date.parse(listed?.["last-used-at"] ?? "") - Date.now()) < 3_600_000);

    const first = await list("--limit", "1");
    assert.deepEqual([first.accounts, first.next], [all.slice(0, 1), aliases[0]]);
    const rest = await list("--after", first.next ?? "");
    assert.deepEqual([rest.accounts, rest.next], [all.slice(1), null]);
    const text = await vestry(["accounts", "list", "--limit", "1"], { env: env() });
    assert.match(
      text.stdout,
      new RegExp(`^${aliases[0]}  .*people  .*\\nMore: .*--after ${aliases[0]}`),
    );
    assert.match(
      (await vestry(["accounts", "list", "--server", "9"], { env: env() })).stderr,
      /no server 9/,
    );
  });

  test("seeded accounts can live on another server", async () => {
    const seed = (...args: string[]) =>
      vestry(["seed", "--people", "20", "--prefix", "seeded-far", ...args], { env: env() });
    const made = await seed("--server", "2");
    assert.equal(made.status, 0, made.stderr);
    const [row] = await home.db<{ server: number }[]>`
      select server from account_homes where alias = 'seeded-far'`;
    assert.equal(row?.server, 2);
    const people = ({ db }: FreshDatabase) => db`
      select from people join accounts on accounts.id = account_id where alias = 'seeded-far'`;
    assert.deepEqual([(await people(home)).count, (await people(second)).count], [0, 20]);
    assert.deepEqual(await accountsOf("admin@seeded-far.example"), ["seeded-far"]);
    assert.match((await seed()).stderr, /already exist/);
  });

  test("doctor finds accounts and rows that are not where the directory says", async () => {
    const found = async () => {
      const { json } = await vestry(["doctor", "--json"], { env: env() });
      const { findings } = json as { findings: { code: string; problem: string }[] };
      return findings.filter(({ code }) =>
        /^(accounts-(absent|unlisted)|rows-|servers-)/.test(code),
      );
    };
    assert.deepEqual(await found(), []);
    const [lost, owner] = [newId(), newId()];
    await home.db`insert into account_homes (account_id, alias, server) values (${lost}, 'lost-one', 2)`;
    await home.db`update account_homes set server = 1 where account_id = ${far.id}`;
    await second.db`
      insert into journal (account_id, id, occurred_at, resource_type, resource_id, cause)
      values (${owner}, ${newId()}, now(), 'people', ${owner}, 'api')`;
    const findings = await found();
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["accounts-absent", "accounts-unlisted", "accounts-absent", "rows-without-account"],
    );
    assert.match(findings[3]?.problem ?? "", new RegExp(`journal .*${owner}`));
    await second.db`delete from journal where account_id = ${owner}`;
    await home.db`delete from account_homes where account_id = ${lost}`;
    await home.db`update account_homes set server = 2 where account_id = ${far.id}`;
  });

  test("nodes that start at the same time give the servers their numbers together", async () => {
    for (const { db } of [home, second]) await db`delete from this_server`;
    await Promise.all([1, 2, 3, 4].map(() => numberServers(second.whole)));
  });

  test("a list of servers in another order, or of another installation, is refused", async () => {
    await numberServers(second.whole);
    await numberServers(second.whole);
    const reversed = connectServers([second.url, home.url], patient);
    await assert.rejects(numberServers(reversed), WrongServer);
    await reversed.end();
    const ran = await vestry(["migrate"], {
      env: { ...env(), DATABASE_SHARDS: `${second.url} ${home.url}` },
    });
    assert.equal(ran.status, 1);
    assert.match(
      ran.stderr,
      /is server 2 of this installation, and DATABASE_SHARDS lists it as server 1/,
    );
    const alone = connectServers([second.url]);
    await assert.rejects(
      numberServers(alone),
      WrongServer,
      "a second server does not serve by itself",
    );
    await alone.end();
  });
});

test("a node that does not list a server is refused, and one that runs stops when a server is added", async (context) => {
  await numberServers(second.whole);
  const alone = connectServers([home.url], patient);
  context.after(() => alone.end());
  await assert.rejects(numberServers(alone), ServersMissing);
  const ran = await vestry(["accounts", "list"], { env: { DATABASE_URL: home.url } });
  assert.deepEqual([ran.status, /2 database servers/.test(ran.stderr)], [1, true], ran.stderr);

  context.mock.timers.enable({ apis: ["setInterval"] });
  const missing = Promise.withResolvers<Error>();
  const stop = watchServerCount(alone, missing.resolve);
  context.after(stop);
  context.mock.timers.tick(LOOK_MS);
  assert.ok((await missing.promise) instanceof ServersMissing);
});

test("while an account moves, a node that knows one server writes nothing to it", async (context) => {
  const alone = connect(home.url, patient);
  context.after(() => alone.end());
  const { id, token } = near.administrator;
  const own = await startService({ db: alone, database: home });
  context.after(() => own.app.close());
  const rename = (name: string) =>
    own.patch(
      `/v1/people/${id}`,
      { data: { type: "people", id, attributes: { occupation: name } } },
      { as: token },
    );
  assert.equal((await rename("Baker")).status, 200);
  await home.db`insert into account_moves (account_id, server) values (${near.id}, 2)`;
  const refused = await rename("Cook");
  assert.deepEqual([refused.status, codes(refused)], [503, ["unavailable"]], refused.text);
  await home.db`delete from account_moves where account_id = ${near.id}`;
  assert.equal((await rename("Cook")).status, 200);
});

test("the sweep of files leaves those of the accounts of other servers", async () => {
  const directory = await freshDirectory();
  const files = filesIn(directory.path, PUBLIC_URL);
  const old = new Date(Date.now() - 25 * 3_600_000);
  const keys = [near.id, far.id, newId()].map((accountId) => keyOf(accountId, newId()));
  for (const key of keys) {
    const path = join(directory.path, key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "bytes");
    await utimes(path, old, old);
  }
  const left = async () => (await Array.fromAsync(files.store.list())).map(({ key }) => key);
  const sweep = ({ db }: FreshDatabase) =>
    fileSweeps.run(
      {
        ...testServices(),
        files,
        db,
        jobId: newId(),
        isLastTry: false,
        signal: new AbortController().signal,
      },
      {},
    );
  await sweep(second);
  assert.deepEqual((await left()).sort(), [keys[0] ?? "", keys[2] ?? ""].sort());
  await sweep(home);
  assert.deepEqual(await left(), []);
  await directory.remove();
});

test("a change on each server reaches the streams of its account", async () => {
  for (const { db, account } of [
    { db: home.db, account: near },
    { db: second.db, account: far },
  ]) {
    const { administrator } = account;
    const ended = new AbortController();
    const answer = await fetch(`${service.url}/v1/changes/stream`, {
      headers: { Origin: FIRST_PARTY, Authorization: `Bearer ${administrator.token}` },
      signal: ended.signal,
    });
    assert.equal(answer.status, 200);
    const { id } = await makeLogin(db, account, `stream-${newId().slice(-6)}`);
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes(id)) break;
    }
    ended.abort();
  }
});

describe("the service", () => {
  /** A node with a receiver of webhooks. Both end with the test. */
  async function startNode(
    context: TestContext,
    {
      poolers = [],
      say = () => undefined,
    }: { poolers?: Pooler[]; say?: (line: string) => void } = {},
  ) {
    const whole = await startWhole({ urls: [home.url, second.url], poolers, say });
    const { node, port, receiver } = whole;
    context.after(async () => {
      await whole.stop();
      for (const pooler of poolers) await pooler.stop();
    });
    const addPerson = (account: TestAccount) =>
      fetch(`http://127.0.0.1:${port}/v1/people`, {
        method: "POST",
        headers: {
          "Origin": `http://localhost:${port}`,
          "Authorization": `Bearer ${account.administrator.token}`,
          "Content-Type": "application/vnd.api+json",
        },
        body: JSON.stringify({ data: { type: "people", attributes: { "full-name": "New Here" } } }),
      });
    const delivers = async (account: TestAccount, { db }: FreshDatabase) => {
      const before = receiver.requests.length;
      await makeLiveEndpoint(db, account.id, receiver);
      const answer = await addPerson(account);
      assert.equal(answer.status, 201, await answer.text());
      await receiver.received(before + 1);
      await db`update webhook_endpoints set status = 'deleted' where account_id = ${account.id}`;
    };
    return { addPerson, delivers, node };
  }

  for (const [how, skip] of [
    ["with the servers themselves", false],
    ["through poolers", noRecentPooler],
  ] as const)
    test(`a node ${how} answers, and sends the webhooks of each server`, {
      skip,
    }, async (context) => {
      const isPooled = skip === false && how === "through poolers";
      const urls = isPooled ? [home.url, second.url] : [];
      const poolers = await Promise.all(urls.map((url) => startPooler(url)));
      const { delivers } = await startNode(context, { poolers });
      await delivers(near, home);
      await delivers(far, second);
    });

  test("a node starts without a server that is away, and serves its accounts when it is back and the right one", async (context) => {
    const said: string[] = [];
    const [refused, served] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const say = (line: string) => {
      said.push(line);
      if (/is back and cannot be used/.test(line)) refused.resolve();
      if (/is back, and this node serves/.test(line)) served.resolve();
    };
    await numberServers(second.whole);
    const [place] = await second.db<
      { installation: string }[]
    >`select installation from this_server`;
    await second.db`update this_server set installation = ${newId()}`;
    await second.db`delete from schema_facts`;
    await second.goAway();
    const { addPerson, delivers, node } = await startNode(context, { say });
    assert.match(said.join(), /Server 2 is away/);
    const assertAway = async () => {
      const answer = await addPerson(far);
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
    };
    await assertAway();
    await delivers(near, home);

    await second.comeBack();
    await refused.promise;
    assert.match(said.join(), /Applying migrations: facts.*belongs to another installation/s);
    await assertAway();

    await second.db`update this_server set installation = ${place?.installation}`;
    await served.promise;
    await delivers(far, second);

    await node.stop("test");
    const connected = () =>
      second.db`select from pg_stat_activity where datname = current_database() and application_name like 'vestry-all%'`;
    // PostgreSQL notices the end of a connection a moment later.
    while ((await connected()).count > 0);
  });

  test("a node stops while a server is still away", async (context) => {
    await second.goAway();
    try {
      const { node } = await startNode(context);
      await node.stop("test");
    } finally {
      await second.comeBack();
    }
  });
});

describe("a server is away", () => {
  /** Resolves with the next observation of this kind about a server. */
  const told = (kind: "server-lost" | "server-back") =>
    new Promise<void>((resolve) => {
      const stop = onObservation((one) => {
        if (one.kind !== kind) return;
        stop();
        resolve();
      });
    });

  test("503 · its accounts wait, the others go on, and the node is ready", async (context) => {
    const [here, there] = [
      await makeLogin(home.db, near, "lia"),
      await makeLogin(second.db, far, "leo"),
    ];
    const whole = connectServers([home.url, second.url], patient);
    const own = await startService({ db: whole, database: second });
    context.after(async () => {
      await own.app.close();
      await whole.end();
    });
    assert.equal((await own.get("/v1/people/me", { as: there.token })).status, 200);
    try {
      const lost = told("server-lost");
      await second.goAway();
      const from = performance.now();
      const answer = await own.get("/v1/people/me", { as: there.token });
      assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
      assert.ok(performance.now() - from < PATIENCE_MS / 2, "it does not wait for a time limit");
      await lost;
      assert.equal((await own.get("/v1/people/me", { as: here.token })).status, 200);
      assert.equal((await logIn(near.alias, here.email)).status, 200);
      await home.db`delete from counters`;
      assert.equal((await logIn(far.alias, there.email)).status, 503);
      const counted = await home.db`select from counters where requests > 0`;
      assert.equal(counted.count, 0, "the tries do not count as failed");
      assert.deepEqual(await accountsOf(here.email), [near.alias]);
      assert.equal((await own.get("/readyz", { as: null })).status, 200);
    } finally {
      const back = told("server-back");
      await second.comeBack();
      await back;
    }
    // Two nodes find out by themselves.
    while ((await own.get("/v1/people/me", { as: there.token })).status !== 200);
  });

  test("commands name the server that is away and go on with the others", async () => {
    const env = { DATABASE_SHARDS: `${home.url} ${second.url}` };
    await second.goAway();
    try {
      const listed = await vestry(["accounts", "list", "--json"], { env });
      assert.equal(listed.status, 1);
      assert.match(listed.stderr, /Server 2 cannot be reached/);
      const { accounts, away } = listed.json as { accounts: { alias: string }[]; away: number[] };
      assert.deepEqual(away, [2]);
      assert.ok(accounts.some(({ alias }) => alias === near.alias));
      const only = await vestry(["accounts", "list", "--server", "2"], { env });
      assert.match(only.stderr, /Server 2 cannot be reached/);

      const doctor = await vestry(["doctor", "--json"], { env });
      const { facts, findings } = doctor.json as {
        facts: Record<string, string>;
        findings: { code: string; problem: string }[];
      };
      const found = findings.find(({ code }) => code === "server-away");
      assert.match(found?.problem ?? "", /Server 2 cannot be reached/);
      assert.match(facts["database"] ?? "", /server 1/);

      const stays = await vestry(["accounts", "move", "--alias", near.alias, "--to", "1"], { env });
      assert.equal(stays.status, 0, stays.stderr);
      assert.match(stays.stderr, /Server 2 cannot be reached.*goes on without it/);
    } finally {
      await second.comeBack();
    }
    await home.goAway();
    try {
      const listed = await vestry(["accounts", "list", "--json"], { env });
      assert.match(listed.stderr, /Server 1 cannot be reached/);
      const { accounts } = listed.json as { accounts: { alias: string }[] };
      assert.ok(accounts.some(({ alias }) => alias === far.alias));
      const doctor = await vestry(["doctor"], { env });
      assert.match(doctor.stdout, /Server 1 cannot be reached/);
      const other = await vestry(["accounts", "approve", "--alias", far.alias], { env });
      assert.match(other.stderr, /^Server 1 cannot be reached .*DATABASE_SHARDS/);
    } finally {
      await home.comeBack();
    }
  });

  test("while the home is away, the accounts of the other servers are read and written", async (context) => {
    // This node may not have found out yet that the second server is back.
    while ((await service.get("/v1/people/me")).status !== 200);
    await home.goAway();
    try {
      // Later than a node remembers the server of an account.
      const now = performance.now.bind(performance);
      context.mock.method(performance, "now", () => now() + KNOWN_MS + 1);
      const answer = await service.get("/v1/people/me");
      assert.equal(answer.status, 200, answer.text);
      const person = { data: { type: "people", attributes: { "full-name": "Written Meanwhile" } } };
      assert.equal((await service.post("/v1/people", person)).status, 201);
      assert.equal(
        (await service.get("/v1/people/me", { as: near.administrator.token })).status,
        503,
      );
      assert.equal((await service.get("/readyz", { as: null })).status, 200);
    } finally {
      await home.comeBack();
    }
  });

  test("while the home is frozen, a changed address is answered after a second, and copied later", async (context) => {
    const person = await makeLogin(second.db, far, "ida");
    const path = `/v1/people/${person.id}`;
    const read = await service.get(path);
    const attributes = { email: "ida@new.example" };
    const timers = holdTimers(context, COPY_MS_MAX);
    const frozen = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const freezing = inGlobalTransaction(home.db, async (tx) => {
      await tx`lock table logins in access exclusive mode`;
      locked.resolve();
      await frozen.promise;
    });
    await locked.promise;
    const before = timers.waiting;
    const changing = service.patch(
      path,
      { data: { type: "people", id: person.id, attributes } },
      { headers: { "If-Match": read.headers.get("etag") } },
    );
    while (timers.waiting === before) await turn();
    timers.end();
    const changed = await changing;
    assert.equal(changed.status, 200, changed.text);
    frozen.resolve();
    await freezing;
    while ((await accountsOf("ida@new.example")).length === 0);
  });
});
