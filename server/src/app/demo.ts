import { generatedPassword } from "../access/generated-password.ts";
import { addAllowance, createIntegration } from "../access/integrations.ts";
import { setPassword } from "../access/logins.ts";
import { hashPassword } from "../access/passwords.ts";
import { newId } from "../base/ids.ts";
import { createAccount } from "../features/accounts/create-account.ts";
import { DemoAccount } from "../sample-data/demo-account.ts";
import { fillDemo } from "../sample-data/parts.ts";
import { type Db, inGlobalTransaction, type Queryable, type Tx } from "../store/db.ts";
import type { FileStore } from "../store/files/file-store.ts";

/**
 * The account of a first start: the sample data of all features, log-ins that reach more and less of it, and an integration.
 *
 * Its passwords and its client token are generated for this installation and returned once. Fixed ones would let anyone
 * log in to an installation that other machines can reach.
 */
export interface Demo {
  alias: string;
  churchName: string;
  logins: readonly DemoLogin[];
  integration: { id: string; name: string; clientToken: string };
}

export interface DemoLogin {
  standing: string;
  email: string;
  password: string;
}

export const demoAlias = "demo";
const churchName = "Grace Church Lisbon";

export const administratorEmail = "ana.oliveira@grace.example";

/** People of `sample-data/people`. The supervisor, the leader and the member share one cell. */
const logins = [
  { standing: "full administrator", email: administratorEmail },
  { standing: "administrator", email: "joao.oliveira@grace.example" },
  { standing: "secretary", email: "hannah.whitfield@grace.example" },
  { standing: "supervisor of three cells", email: "raquel.monteiro@grace.example" },
  { standing: "leader of one of them", email: "goncalo.almeida@grace.example" },
  { standing: "member of that cell", email: "lukas.weber@grace.example" },
  { standing: "teacher of a class", email: "graca.carvalho@grace.example" },
] as const satisfies readonly Omit<DemoLogin, "password">[];

/** The key of the advisory lock. It is "demo" in ASCII. */
const DEMO_LOCK = 0x64_65_6d_6f;

/** Creates the demo account in a database without accounts. Returns undefined if there is one. */
export async function makeDemoOnce(db: Db, files: FileStore): Promise<Demo | undefined> {
  if (!(await isEmpty(db))) return undefined;
  const given = logins.map((login) => ({ ...login, password: generatedPassword() }));
  const hashes = new Map(
    await Promise.all(
      given.map(async ({ email, password }) => [email, await hashPassword(password)] as const),
    ),
  );

  // One transaction: an account without its token would exist although its passwords were never shown.
  return inGlobalTransaction(db, async (tx) => {
    // A busy machine, or another node that creates the account, may take longer than a request may.
    await tx`set local statement_timeout = 0`;
    await tx`select pg_advisory_xact_lock(${DEMO_LOCK}::bigint)`;
    // When several nodes start on a new database, only the first one creates the account.
    if (!(await isEmpty(tx))) return undefined;
    const accountId = newId();
    await createAccount(tx, { id: accountId, alias: demoAlias, churchName });
    const account = new DemoAccount(tx, accountId, files);
    await fillDemo(account);
    await addLogins(tx, accountId, hashes);
    const { id, name, token } = await integrationFor(tx);
    await addAllowance(tx, { accountId, integrationId: id });
    const integration = { id, name, clientToken: token };
    return { alias: demoAlias, churchName, logins: given, integration };
  });
}

async function addLogins(
  tx: Tx,
  accountId: string,
  hashes: ReadonlyMap<string, string>,
): Promise<void> {
  const people = await tx<{ id: string; email: string }[]>`
    select id, email from people
    where account_id = ${accountId} and email = any(${[...hashes.keys()]}) order by id`;
  if (people.length < hashes.size) throw new Error("The demo account lacks a person who logs in.");
  for (const { email, id } of people)
    await setPassword(tx, { accountId, personId: id }, hashes.get(email) ?? "");
}

async function isEmpty(db: Queryable): Promise<boolean> {
  const [row] = await db<{ empty: boolean }[]>`
    select not exists (select account_id from account_homes) as "empty"`;
  return row?.empty === true;
}

/** The operator may have created an integration with this name before the first account. */
async function integrationFor(tx: Tx) {
  const name = "Demo integration";
  const [taken] = await tx`select from integrations where name = ${name}`;
  return createIntegration(tx, { name: taken ? `${name} ${newId().slice(-6)}` : name });
}
