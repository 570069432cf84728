import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { SECOND } from "../src/base/clock.ts";
import { newId } from "../src/base/ids.ts";
import { directoryJob } from "../src/features/accounts/directory.ts";
import { moveAccount, type MoveStep } from "../src/features/accounts/move-account.ts";
import { movesJob } from "../src/features/accounts/moves-job.ts";
import { onObservation } from "../src/base/observe.ts";
import { accountTables } from "../src/store/account-tables.ts";
import { connectServers } from "../src/store/servers.ts";
import type { Db } from "../src/store/db.ts";
import { vestry } from "./support/command.ts";
import { type FreshDatabase, freshServers } from "./support/database.ts";
import { listen } from "./support/event-stream.ts";
import { csv } from "./support/imports.ts";
import { startNode } from "./support/node.ts";
import { makeLiveEndpoint } from "./support/engine.ts";
import { createdEndpoint } from "./support/endpoints.ts";
import { recordAttempt, recordDelivery, recordEvent } from "./support/history.ts";
import { fillTables } from "./support/fill-tables.ts";
import { PATIENCE_MS, patient } from "./support/patience.ts";
import { pause } from "./support/pause.ts";
import { until } from "./support/queues.ts";
import { makeLogin, PASSWORD } from "./support/sign-in.ts";
import { makeAccount, makeIntegration, type TestAccount } from "./support/make.ts";
import { ok, type Receiver, startReceiver } from "./support/receiver.ts";

/** `npx vestry accounts move`, with a node that serves the account, its webhooks and its jobs meanwhile. */

let home: FreshDatabase;
let second: FreshDatabase;
let servers: Db;
let receiver: Receiver;
let node: Awaited<ReturnType<typeof startNode>>;
let port: number;

before(async () => {
  ({ home, second } = await freshServers("accounts move between two servers"));
  servers = connectServers([home.url, second.url], { max: 6, ...patient });
  node = await startNode({ urls: [home.url, second.url] });
  ({ port, receiver } = node);
});
after(async () => {
  await node.stop();
  await servers.end();
  await second.close();
  await home.close();
});

const env = () => ({
  DATABASE_SHARDS: `${home.url} ${second.url}`,
  ENCRYPTION_KEYS: `k:${"A".repeat(43)}=`,
});

const command = (alias: string, to: number) =>
  vestry(["accounts", "move", "--alias", alias, "--to", String(to)], { env: env() });

const headers = (account: TestAccount) => ({
  Origin: `http://localhost:${port}`,
  Authorization: `Bearer ${account.administrator.token}`,
});

const ask = (account: TestAccount, method: string, path: string, body?: object) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...headers(account),
      ...(body && { "Content-Type": "application/vnd.api+json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

const logIn = (account: TestAccount, username: string) =>
  fetch(`http://127.0.0.1:${port}/authenticate`, {
    method: "POST",
    headers: { "Origin": `http://localhost:${port}`, "Content-Type": "application/json" },
    body: JSON.stringify({ account: account.alias, username, password: PASSWORD }),
  });

const person = (name: string) => ({
  data: { type: "people", attributes: { "full-name": name } },
});

/** Writes people of an account until it is stopped, about twenty a second. */
function startWriting(context: TestContext, account: TestAccount) {
  const created = new Map<string, string>();
  let next = Promise.withResolvers<void>();
  let refusedMsMax = 0;
  let goOn = true;
  const writing = (async () => {
    let refusedSince: number | undefined;
    for (let n = 0; goOn; n += 1) {
      const name = `Written ${n} ${newId().slice(-6)}`;
      const answer = await ask(account, "POST", "/v1/people", person(name));
      const now = performance.now();
      if (answer.status === 201) {
        const { data } = (await answer.json()) as { data: { id: string } };
        created.set(data.id, name);
        next.resolve();
        next = Promise.withResolvers();
        refusedSince = undefined;
      } else {
        assert.equal(answer.status, 503, await answer.text());
        assert.ok(Number(answer.headers.get("retry-after")) > 0);
        refusedSince ??= now;
        refusedMsMax = Math.max(refusedMsMax, now - refusedSince);
      }
      await pause(50);
    }
  })();
  const stop = async () => {
    goOn = false;
    await writing;
    return { created, refusedMsMax };
  };
  context.after(stop);
  return {
    created,
    stop,
    /** Resolves when one more has been created. A request that fails the test ends the wait. */
    oneMore: () => Promise.race([next.promise, writing]),
  };
}

/** A digest of the rows of each table with rows of an account. */
async function digests(db: Db, accountId: string, without: readonly string[] = []) {
  const found = new Map<string, string>();
  for (const { columns, name, owner } of await accountTables(db)) {
    if (["account_homes", "account_moves", ...without].includes(name)) continue;
    const [row] = await db.query<{ digest: string | null }[]>(
      `select md5(string_agg(md5(row(${columns.map((column) => column.name).join()})::text), '' order by md5(row(${columns.map((column) => column.name).join()})::text))) as digest
       from ${name} where ${owner} = $1`,
      [accountId],
    );
    if (row?.digest) found.set(name, row.digest);
  }
  return found;
}

async function assertServedBy({ db }: FreshDatabase, account: TestAccount): Promise<void> {
  const other = db === home.db ? second : home;
  const left = await digests(other.db, account.id, other === home ? ["logins"] : []);
  assert.deepEqual([...left.keys()], [], "rows are left on the other server");
  const [row] = await home.db<{ server: number }[]>`
    select server from account_homes where account_id = ${account.id}`;
  assert.equal(row?.server, db === home.db ? 1 : 2);
  for (const each of [home, second]) {
    const staged = await each.db`
      select from pg_namespace where nspname = ${`move_${account.id.replaceAll("-", "")}`}`;
    assert.equal(staged.length, 0, "a copy is left");
    const moving = await each.db`select from account_moves where account_id = ${account.id}`;
    assert.equal(moving.length, 0, "the account refuses changes");
  }
}

/** Each change that was answered is there, and each has exactly one event. */
async function assertNothingLost(
  { db }: FreshDatabase,
  account: TestAccount,
  created: ReadonlyMap<string, string>,
  from = receiver,
): Promise<void> {
  const people = await db<{ id: string }[]>`select id from people where account_id = ${account.id}`;
  const known = new Set(people.map(({ id }) => id));
  assert.deepEqual(
    [...created.keys()].filter((id) => !known.has(id)),
    [],
    "people are lost",
  );
  const events = await db<{ subject: string; events: number }[]>`
    select subject_id as subject, count(*)::integer as events from webhook_events
    where account_id = ${account.id} and event_type = 'person.created' group by subject_id`;
  const counts = new Map(events.map(({ events: count, subject }) => [subject, count]));
  assert.deepEqual(
    [...created.keys()].filter((id) => counts.get(id) !== 1),
    [],
    "people without their one event",
  );
  const sent = () => {
    const ids = new Map<string, Set<string>>();
    for (const { body } of from.requests) {
      const text = body.toString();
      const event = JSON.parse(text) as { id: string };
      for (const id of created.keys())
        if (text.includes(id)) ids.set(id, (ids.get(id) ?? new Set()).add(event.id));
    }
    return ids;
  };
  for (;;) {
    const { length } = from.requests;
    const ids = sent();
    if ([...created.keys()].every((id) => ids.has(id))) {
      assert.deepEqual(
        [...ids].filter(([, events]) => events.size !== 1),
        [],
        "an event was sent under two ids",
      );
      return;
    }
    await from.received(length + 1);
  }
}

describe("an account moves", { concurrency: true }, () => {
  test("each row is the same on the other server, and back", async () => {
    const account = await makeAccount(home.db);
    const integration = await makeIntegration(home.db);
    await home.db`
      insert into account_integrations (account_id, integration_id) values (${account.id}, ${integration.id})`;
    const endpointId = await createdEndpoint(home.db, account);
    const eventId = await recordEvent(home.db, account.id);
    const deliveryId = await recordDelivery(home.db, account.id, { endpointId, eventId });
    await recordAttempt(home.db, account.id, deliveryId, { sequence: 1 });
    await fillTables(home.db, account.id);
    // The queue is made again from the deliveries.
    const before = await digests(home.db, account.id, ["webhook_queue"]);
    assert.ok(before.size > 70, `${before.size} tables have rows`);
    const moved = await command(account.alias, 2);
    assert.equal(moved.status, 0, moved.stderr);
    assert.deepEqual(await digests(second.db, account.id, ["webhook_queue"]), before);
    await assertServedBy(second, account);
    const back = await command(account.alias, 1);
    assert.equal(back.status, 0, back.stderr);
    assert.deepEqual(await digests(home.db, account.id, ["webhook_queue"]), before);
    await assertServedBy(home, account);
  });

  test("while people write to it, nothing is lost, and changes are refused for a moment", async (context) => {
    const account = await makeAccount(home.db);
    await makeLiveEndpoint(home.db, account.id, receiver);
    const writing = startWriting(context, account);
    const stream = await listen(
      { account, url: `http://127.0.0.1:${port}` },
      { headers: headers(account) },
    );
    context.after(() => stream.close());
    await writing.oneMore();
    const moved = await command(account.alias, 2);
    assert.equal(moved.status, 0, moved.stderr);
    await writing.oneMore();
    const added = await ask(account, "POST", "/v1/people", person("Told by the stream"));
    const { data } = (await added.json()) as { data: { id: string } };
    while (!JSON.stringify(await stream.next("change")).includes(data.id));
    const { created, refusedMsMax } = await writing.stop();
    // A second or two on a machine that is not busy.
    assert.ok(refusedMsMax < PATIENCE_MS / 2, `${refusedMsMax} ms`);
    await assertServedBy(second, account);
    await assertNothingLost(second, account, created);
  });
});

describe("work under way", { concurrency: true }, () => {
  test("messages that wait for their receivers are sent again under the same ids", async (context) => {
    const account = await makeAccount(home.db);
    const slow = await startReceiver();
    context.after(() => slow.close());
    const goOn = Promise.withResolvers<void>();
    slow.behave(async (line, request) => {
      await goOn.promise;
      await ok(line, request);
    });
    await makeLiveEndpoint(home.db, account.id, slow);
    const ids: string[] = [];
    for (let n = 0; n < 50; n += 1) {
      const answer = await ask(account, "POST", "/v1/people", person(`In flight ${n}`));
      ids.push(((await answer.json()) as { data: { id: string } }).data.id);
    }
    await slow.received(1);
    assert.equal((await command(account.alias, 2)).status, 0);
    goOn.resolve();
    await assertServedBy(second, account);
    await assertNothingLost(second, account, new Map(ids.map((id) => [id, ""])), slow);
  });

  test("an import goes on", async () => {
    const account = await makeAccount(home.db);
    const mapping = { "Name": "full-name", "E-mail": "email" };
    const made = await ask(account, "POST", "/v1/import-jobs", {
      data: { type: "import-jobs", attributes: { kind: "people", mapping } },
    });
    const { data } = (await made.json()) as { data: { id: string } };
    const path = `/v1/import-jobs/${data.id}`;
    const statusIs = (...wanted: string[]) =>
      until(async () => {
        const answer = await ask(account, "GET", path);
        const { attributes } = (
          (await answer.json()) as { data: { attributes: { status: string } } }
        ).data;
        return wanted.find((status) => status === attributes.status);
      });
    const rows = Array.from({ length: 2_000 }, (_, n) => [
      `Imported ${n}`,
      `person${n}@import.example`,
    ]);
    const uploaded = await fetch(`http://127.0.0.1:${port}${path}/file`, {
      method: "PUT",
      headers: { ...headers(account), "Content-Type": "text/csv" },
      body: csv(["Name", "E-mail"], ...rows),
    });
    assert.equal(uploaded.status, 202, await uploaded.text());
    await statusIs("ready");
    const begun = await ask(account, "POST", "/v1/import-runs", {
      data: {
        type: "import-runs",
        attributes: {},
        relationships: { "import-job": { data: { type: "import-jobs", id: data.id } } },
      },
    });
    assert.equal(begun.status, 202, await begun.text());
    const imported = async ({ db }: FreshDatabase) => {
      const [row] = await db<{ people: number }[]>`
        select count(*)::integer as people from people
        where account_id = ${account.id} and full_name like 'Imported %'`;
      return row?.people ?? 0;
    };
    await until(async () => ((await imported(home)) > 0 ? true : undefined));
    const moved = await command(account.alias, 2);
    assert.equal(moved.status, 0, moved.stderr);
    assert.equal(await statusIs("done", "failed"), "done");
    assert.equal(await imported(second), 2_000);
    await assertServedBy(second, account);
  });
});

describe("kill -9", { concurrency: true }, () => {
  const script = fileURLToPath(new URL("support/killed-move.ts", import.meta.url));
  const killAfter = async (step: MoveStep, alias: string, to: number) => {
    const child = spawn(process.execPath, [script, step, alias, String(to), home.url, second.url], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [, signal] = (await once(child, "exit")) as [number | null, string | null];
    assert.equal(signal, "SIGKILL");
  };

  for (const step of ["copied", "refusing", "placed", "directed", "emptied"] as const)
    test(`a move that was killed when it had reached “${step}” is finished by the same command`, async (context) => {
      const account = await makeAccount(home.db);
      await makeLiveEndpoint(home.db, account.id, receiver);
      const writing = startWriting(context, account);
      await writing.oneMore();
      await killAfter(step, account.alias, 2);
      const again = await command(account.alias, 2);
      assert.equal(again.status, 0, again.stderr);
      await writing.oneMore();
      const { created } = await writing.stop();
      await assertServedBy(second, account);
      await assertNothingLost(second, account, created);
    });

  test("a move that was killed before the account was placed can be given up", async (context) => {
    const account = await makeAccount(home.db);
    await makeLiveEndpoint(home.db, account.id, receiver);
    const writing = startWriting(context, account);
    await writing.oneMore();
    await killAfter("refusing", account.alias, 2);
    assert.equal((await ask(account, "POST", "/v1/people", person("Refused"))).status, 503);
    assert.equal((await ask(account, "GET", "/v1/people")).status, 200);
    const doctor = await vestry(["doctor"], { env: env() });
    assert.match(doctor.stdout, /accounts move --alias/);
    const wrong = await command(account.alias, 3);
    assert.match(wrong.stderr, /no server 3/);
    const given = await command(account.alias, 1);
    assert.equal(given.status, 0, given.stderr);
    await writing.oneMore();
    const { created } = await writing.stop();
    await assertServedBy(home, account);
    await assertNothingLost(home, account, created);
  });

  /** As if the command had been dead for so long. */
  const age = (account: TestAccount, seconds: number) => home.db`
    update account_moves set held_until = clock_timestamp() - make_interval(secs => ${seconds})
    where account_id = ${account.id}`;
  const runJob = () => movesJob.run(servers.servers[0] ?? servers, servers);
  /** The server of the account after a job has ended its move. The job of the node or of another test may be faster. */
  const ended = ({ id }: TestAccount) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const stop = onObservation((one) => {
      if (one.kind !== "move-ended" || one.accountId !== id) return;
      stop();
      resolve(one.server);
    });
    return promise;
  };

  test("a move that was killed before the account was placed ends with its lease", async (context) => {
    const account = await makeAccount(home.db);
    await makeLiveEndpoint(home.db, account.id, receiver);
    const { email } = await makeLogin(home.db, account, "late");
    const writing = startWriting(context, account);
    await writing.oneMore();
    await killAfter("refusing", account.alias, 2);
    assert.equal((await ask(account, "POST", "/v1/people", person("Refused"))).status, 503);
    const server = ended(account);
    const waiting = logIn(account, email);
    await age(account, 1);
    await writing.oneMore();
    assert.equal((await waiting).status, 200);
    await runJob();
    assert.equal(await server, 1);
    const { created } = await writing.stop();
    await assertServedBy(home, account);
    await assertNothingLost(home, account, created);
  });

  for (const step of ["placed", "directed"] as const)
    test(`a move that was killed when it had reached “${step}” cannot be given up, and a job finishes it`, async (context) => {
      const account = await makeAccount(home.db);
      await makeLiveEndpoint(home.db, account.id, receiver);
      const writing = startWriting(context, account);
      await writing.oneMore();
      await killAfter(step, account.alias, 2);
      assert.match((await command(account.alias, 1)).stderr, /Finish the move with --to 2/);
      await runJob();
      const { count } = await home.db`select from account_moves where account_id = ${account.id}`;
      assert.equal(count, 1, "an operator comes first");
      const server = ended(account);
      await age(account, 61);
      await runJob();
      assert.equal(await server, 2);
      await writing.oneMore();
      const { created } = await writing.stop();
      await assertServedBy(second, account);
      await assertNothingLost(second, account, created);
    });
});

describe("bad luck", { concurrency: true }, () => {
  test("a command that did not renew its lease in time does not place an account that was used again", async () => {
    const account = await makeAccount(home.db);
    const written: number[] = [];
    await assert.rejects(
      moveAccount(servers, {
        alias: account.alias,
        to: 2,
        async reached(step) {
          if (step !== "refusing") return;
          await home.db`
            update account_moves set held_until = clock_timestamp() where account_id = ${account.id}`;
          written.push((await ask(account, "POST", "/v1/people", person("Meanwhile"))).status);
        },
      }),
      /was used again before it was placed/,
    );
    assert.deepEqual(written, [201]);
    assert.equal((await second.db`select from accounts where id = ${account.id}`).count, 0);
    assert.equal((await command(account.alias, 2)).status, 0);
    const [found] = await second.db`
      select from people where account_id = ${account.id} and full_name = 'Meanwhile'`;
    assert.ok(found);
    await assertServedBy(second, account);
  });

  test("changes that come at the same time after the end of a lease are all accepted", async () => {
    const account = await makeAccount(home.db);
    await home.db`
      insert into account_moves (account_id, server, state, holder, held_until)
      values (${account.id}, 2, 'held', ${newId()}, now())`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        ask(account, "POST", "/v1/people", person(`At once ${n}`)),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal((await command(account.alias, 1)).status, 0);
    await assertServedBy(home, account);
  });

  test("a command renews its lease, and says for how long the account refused changes", async () => {
    const account = await makeAccount(home.db);
    const ends = async () => {
      const [row] = await home.db<{ at: string }[]>`
        select held_until::text as at from account_moves where account_id = ${account.id}`;
      return row?.at;
    };
    const { heldMs } = await moveAccount(servers, {
      alias: account.alias,
      to: 2,
      leaseMs: 6 * SECOND,
      async reached(step) {
        if (step !== "refusing") return;
        const before = await ends();
        await home.db`
          update account_moves set started_at = started_at - interval '1 hour'
          where account_id = ${account.id}`;
        await until(async () => ((await ends()) === before ? undefined : true));
      },
    });
    assert.ok(heldMs > 3_600_000 && heldMs < 3_660_000, String(heldMs));
    await assertServedBy(second, account);
  });

  test("two commands do not move one account at once", async () => {
    const account = await makeAccount(home.db);
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const first = moveAccount(servers, {
      alias: account.alias,
      to: 2,
      async reached(step) {
        if (step !== "copied") return;
        reached.resolve();
        await goOn.promise;
      },
    });
    await reached.promise;
    const other = await command(account.alias, 2);
    assert.match(other.stderr, /Another command moves/);
    goOn.resolve();
    await first;
    await assertServedBy(second, account);
  });

  test("a server was restored: its old copy changes nothing, and is deleted when the operator says so", async () => {
    const account = await makeAccount(second.db);
    await makeLogin(second.db, account, "moved");
    assert.equal((await command(account.alias, 1)).status, 0);
    const loginsAtHome = () =>
      home.db`select email from logins where account_id = ${account.id} order by email`;
    const before = await loginsAtHome();
    // Some rows of a backup that is older than the move.
    await bringBack("accounts", "people");
    await second.db`
      insert into logins (email, account_id, person_id)
      select 'old@address.example', account_id, id from people where account_id = ${account.id} limit 1`;
    await directoryJob.run(second.db);
    assert.deepEqual(await loginsAtHome(), before);
    const doctor = await vestry(["doctor"], { env: env() });
    assert.match(doctor.stdout, /directory does not lead to these accounts of server 2/);
    for (const to of [1, 2])
      assert.match((await command(account.alias, to)).stderr, /One of them was restored/);
    const kept = await vestry(
      ["accounts", "move", "--alias", account.alias, "--to", "1", "--discard-copy"],
      { env: env() },
    );
    assert.equal(kept.status, 0, kept.stderr);
    await assertServedBy(home, account);

    async function bringBack(...names: string[]) {
      for (const { columns, name, owner } of await accountTables(home.db)) {
        if (!names.includes(name)) continue;
        const [row] = await home.db.query<{ rows: string }[]>(
          `select json_agg(row)::text as rows from ${name} row where ${owner} = $1`,
          [account.id],
        );
        const all = columns.map((column) => column.name).join();
        await second.db.query(
          `insert into ${name} (${all}) select ${all} from json_populate_recordset(null::${name}, $1)`,
          [row?.rows],
        );
      }
    }
  });

  test("the home was restored: the account is found where it is", async () => {
    const account = await makeAccount(home.db);
    assert.equal((await command(account.alias, 2)).status, 0);
    await home.db`update account_homes set server = 1 where account_id = ${account.id}`;
    assert.match((await command(account.alias, 1)).stderr, /these servers have it: server 2/);
    assert.equal((await command(account.alias, 2)).status, 0);
    await assertServedBy(second, account);
  });
});

describe("more bad luck", () => {
  test("the other server goes away and comes back: the command waits for it", async () => {
    const account = await makeAccount(home.db);
    let isFirst = true;
    const reasons: string[] = [];
    const back = Promise.withResolvers<void>();
    const moved = await moveAccount(servers, {
      alias: account.alias,
      to: 2,
      async reached(step) {
        if (step !== "refusing" || !isFirst) return;
        isFirst = false;
        await second.goAway();
      },
      interrupted({ message }) {
        reasons.push(message);
        if (reasons.length === 1) void second.comeBack().then(back.resolve, back.reject);
      },
    });
    await back.promise;
    assert.ok(reasons.length > 0);
    assert.deepEqual([moved.from, moved.to], [1, 2]);
    await assertServedBy(second, account);
  });

  test("the other server goes away for longer: the account is used where it was", async () => {
    const account = await makeAccount(home.db);
    await assert.rejects(
      moveAccount(servers, {
        alias: account.alias,
        patienceMs: 0,
        to: 2,
        reached: (step) => (step === "refusing" ? second.goAway() : undefined),
      }),
    );
    assert.equal((await ask(account, "POST", "/v1/people", person("Here"))).status, 201);
    await second.comeBack();
    const doctor = await vestry(["doctor"], { env: env() });
    assert.match(doctor.stdout, /has a copy of/);
    assert.equal((await command(account.alias, 1)).status, 0);
    await assertServedBy(home, account);
  });
});
