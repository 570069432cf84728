import { assignments } from "../../src/store/sql.ts";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setPassword } from "../../src/access/logins.ts";
import { inTransaction } from "../../src/store/db.ts";
import { type RunOptions, vestry } from "../support/command.ts";
import { createdEndpoint } from "../support/endpoints.ts";
import { recordAttempt, recordDelivery, recordEvent } from "../support/history.ts";
import { fillTables } from "../support/fill-tables.ts";
import { type TestAccount, makeAccount, makePerson } from "../support/make.ts";
import { startService } from "../support/service.ts";

const service = await startService();
after(() => service.stop());
const { db } = service;
const env = { DATABASE_URL: service.database.url };
const run = (args: readonly string[], options: RunOptions = {}) =>
  vestry(["accounts", ...args, "--json"], { env, ...options });
const errorOf = ({ json }: { json: Record<string, unknown> }) =>
  (json["error"] as Record<string, string> | undefined)?.["code"];

async function closed(): Promise<TestAccount> {
  const account = await makeAccount(db);
  assert.equal((await run(["deactivate", "--alias", account.alias])).status, 0);
  return account;
}

/** Inserts a row into every table of an account. Partitioned tables of the history take their time from the id. */
async function furnish(account: TestAccount): Promise<void> {
  const { id: accountId } = account;
  const { id: person } = await makePerson(db, accountId, { email: `bia@${account.alias}.example` });
  await inTransaction(db, accountId, (tx) =>
    setPassword(tx, { accountId, personId: person }, "no hash"),
  );
  const authored = { created_by: person, modified_by: account.administrator.id };
  await db`update people set ${assignments(authored)} where account_id = ${accountId}`;
  await db`update accounts set ${assignments(authored)} where id = ${accountId}`;
  const made = await vestry(
    ["integrations", "create", "--name", `For ${account.alias}`, "--json"],
    { env },
  );
  const { id } = made.json["integration"] as { id: string };
  await db`insert into account_integrations (account_id, integration_id) values (${accountId}, ${id})`;

  const endpointId = await createdEndpoint(db, account);
  const eventId = await recordEvent(db, accountId);
  const deliveryId = await recordDelivery(db, accountId, { endpointId, eventId });
  await recordAttempt(db, accountId, deliveryId, { sequence: 1 });
  await fillTables(db, accountId);
}

interface Table {
  name: string;
  /** True if the table has an account_id. */
  owned: boolean;
}

const tables = await db<Table[]>`
  select c.relname as name, exists (select from pg_attribute a
    where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped) as owned
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

const rowsOf = async ({ id }: TestAccount, { name, owned }: Table) => {
  const whose = owned ? db`account_id = ${id}` : db`row::text like ${`%${id}%`}`;
  const [row] = await db<{ count: number }[]>`
    select count(*) from ${db(name)} row where ${whose}`;
  return row?.count ?? 0;
};

/** A checksum of the rows of other accounts. */
const othersThan = async ({ id }: TestAccount, { name }: Table) => {
  const [row] = await db<{ sum: string }[]>`
    select count(*) || ' ' || coalesce(md5(string_agg(row::text, '|' order by row::text)), '') as sum
    from ${db(name)} row where row::text not like ${`%${id}%`}`;
  return row?.sum;
};

const assertNothingOf = async (account: TestAccount) => {
  for (const table of tables) assert.equal(await rowsOf(account, table), 0, table.name);
};

test("delete · removes every row of the account and leaves every other row unchanged", async () => {
  const [account, other] = [await makeAccount(db), await makeAccount(db)];
  await furnish(account);
  await furnish(other);
  await run(["deactivate", "--alias", account.alias]);
  await db`insert into account_moves (account_id, server) values (${account.id}, 2)`;
  for (const table of tables.filter(({ owned }) => owned))
    assert.ok((await rowsOf(account, table)) > 0, `${table.name} is empty`);
  const before = new Map<string, unknown>();
  for (const table of tables) before.set(table.name, await othersThan(account, table));

  const { json, status } = await run(["delete", "--alias", account.alias, "--yes"]);
  assert.equal(status, 0, JSON.stringify(json));
  assert.deepEqual((json["account"] as Record<string, string>)["id"], account.id);
  assert.partialDeepStrictEqual(json["deleted"], {
    "people": 2,
    "courses": 1,
    "cells": 2,
    "cell-attendances": 1,
    "logins": 1,
    "webhook-endpoints": 1,
    "webhook-events": 2,
    "webhook-deliveries": 2,
  });
  await assertNothingOf(account);
  for (const table of tables)
    assert.equal(await othersThan(account, table), before.get(table.name), table.name);
});

test("delete · tokens of the account get 401, and its alias can be used again", async () => {
  const { administrator, alias } = await closed();
  const read = () => service.get("/v1/people/me", { as: administrator.token });
  assert.equal((await read()).status, 403);
  assert.equal((await run(["delete", "--alias", alias, "--yes"])).status, 0);
  assert.equal((await read()).status, 401);
  assert.equal(errorOf(await run(["delete", "--alias", alias, "--yes"])), "not-found");
  const admin = ["--admin-name", "Ana", "--admin-email", "ana@new.example"];
  const again = ["create", "--alias", alias, "--church-name", "New", ...admin];
  const made = await run([...again, "--admin-password-stdin"], { input: "long enough" });
  assert.equal(made.status, 0, made.stdout);
});

test("delete · an active account is rejected with the command that deactivates it", async () => {
  const account = await makeAccount(db);
  const { stdout } = await run(["delete", "--alias", account.alias, "--yes"]);
  assert.match(stdout, /"conflict".*npx vestry accounts deactivate --alias account-/);
  assert.equal(
    (await service.get("/v1/people/me", { as: account.administrator.token })).status,
    200,
  );
});

test("delete · nothing is deleted unless the alias is typed at a terminal or --yes is given", async () => {
  const account = await closed();
  const asked = ["delete", "--alias", account.alias];
  for (const options of [
    { input: `${account.alias}\n` },
    { input: "yes\n", terminal: true },
    { input: "", terminal: true },
  ])
    assert.equal(errorOf(await run(asked, options)), "not-confirmed", JSON.stringify(options));
  const [there] = await db`select from people where account_id = ${account.id}`;
  assert.ok(there);

  const typed = await run(asked, { input: `${account.alias}\n`, terminal: true });
  assert.match(typed.stderr, new RegExp(`Type ${account.alias} to confirm`));
  assert.equal(typed.status, 0, typed.stdout);
  await assertNothingOf(account);
});

test("delete · an account of thousands of people is deleted", async () => {
  const seeded = await vestry(["seed", "--size", "church", "--prefix", "large", "--json"], { env });
  assert.equal(seeded.status, 0, seeded.stderr);
  await run(["deactivate", "--alias", "large"]);
  const gone = await vestry(["accounts", "delete", "--alias", "large", "--yes"], { env });
  assert.equal(gone.status, 0, gone.stderr);
  assert.match(gone.stdout, /people 5,000/);
});
