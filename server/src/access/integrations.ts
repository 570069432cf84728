import { fail, invalid } from "../base/errors.ts";
import type { Rule } from "../base/rules.ts";
import { isId, newId } from "../base/ids.ts";
import type { Db, Queryable } from "../store/db.ts";
import { newClientToken } from "./tokens.ts";

const NAME_LENGTH_MAX = 200;

/** The command line shows no pointer. */
const invalidName = (rule: Rule) =>
  invalid("/data/attributes/name", { ...rule, hint: "This is about the name of the integration." });

/**
 * The operator creates integrations on the command line and approves accounts for them. Each account allows the
 * integrations it trusts. `create` and `rotate` return the client token once.
 */
export interface Integration {
  id: string;
  name: string;
}

export interface IntegrationWithToken extends Integration {
  token: string;
}

export async function createIntegration(
  db: Queryable,
  { name }: { name: string },
): Promise<IntegrationWithToken> {
  const id = newId();
  const trimmed = name.trim();
  if (trimmed === "") throw invalidName({ rule: "not-blank" });
  if (Array.from(trimmed).length > NAME_LENGTH_MAX)
    throw invalidName({ rule: "max-length", limit: NAME_LENGTH_MAX });
  const { token, hash } = newClientToken();
  const { count } = await db`
    insert into integrations (id, name, token_hash) values (${id}, ${trimmed}, ${hash})
    on conflict (name) do nothing`;
  if (count === 0)
    throw fail("already-exists", `There is an integration named ${JSON.stringify(trimmed)}.`);
  return { id, name: trimmed, token };
}

/** Replaces the token at once, because the usual reason is that the old one leaked. */
export async function rotateIntegration(
  db: Db,
  { id }: { id: string },
): Promise<IntegrationWithToken> {
  const { token, hash } = newClientToken();
  const [integration] = isId(id)
    ? await db<Integration[]>`
        update integrations set token_hash = ${hash}, rotated_at = now()
        where id = ${id} and revoked_at is null returning id, name`
    : [];
  if (!integration) throw noIntegration("There is no integration with this id, or it was revoked.");
  return { ...integration, token };
}

/** Revocation is permanent and idempotent. */
export async function revokeIntegration(db: Db, { id }: { id: string }): Promise<Integration> {
  const [integration] = isId(id)
    ? await db<Integration[]>`
        update integrations set revoked_at = coalesce(revoked_at, now())
        where id = ${id} returning id, name`
    : [];
  if (!integration) throw noIntegration();
  return integration;
}

export interface Allowance {
  id: string;
  alias: string;
}

export async function allowIntegration(db: Db, allowance: Allowance): Promise<void> {
  const { accountId, integrationId, server } = await accountAndIntegration(db, allowance);
  await copyIntegrations(db, server);
  await addAllowance(server, { accountId, integrationId });
}

export async function addAllowance(
  db: Queryable,
  { accountId, integrationId }: { accountId: string; integrationId: string },
): Promise<void> {
  await db`
    insert into account_integrations (account_id, integration_id)
    values (${accountId}, ${integrationId}) on conflict do nothing`;
}

export async function disallowIntegration(db: Db, allowance: Allowance): Promise<void> {
  const ids = await accountAndIntegration(db, allowance);
  await ids.server`
    delete from account_integrations
    where account_id = ${ids.accountId} and integration_id = ${ids.integrationId}`;
}

/** Two look-ups, so that the error names the wrong argument. */
async function accountAndIntegration(db: Db, { id, alias }: Allowance) {
  const [integration] = isId(id)
    ? await db<{ id: string }[]>`
        select id from integrations where id = ${id} and revoked_at is null`
    : [];
  if (!integration) throw noIntegration("There is no integration with this id, or it was revoked.");
  const server = await db.serverOfAlias(alias);
  const [account] = await server<{ id: string }[]>`select id from accounts where alias = ${alias}`;
  if (!account) throw fail("not-found", `No account has the alias ${JSON.stringify(alias)}.`);
  return { server, accountId: account.id, integrationId: integration.id };
}

/**
 * Copies the integrations of the home to another server, where requests look for them. Returns the number of those that
 * differed. They are never deleted.
 */
export async function copyIntegrations(home: Db, server: Db): Promise<number> {
  if (server.home === undefined) return 0;
  const [all] = await home<{ rows: string }[]>`
    select coalesce(jsonb_agg(integrations), '[]')::text as rows from integrations`;
  const { count } = await server`
    insert into integrations as known
    select * from jsonb_populate_recordset(null::integrations, ${all?.rows ?? "[]"}::text::jsonb)
    on conflict (id) do update
    set name = excluded.name, token_hash = excluded.token_hash, rotated_at = excluded.rotated_at,
      revoked_at = excluded.revoked_at
    where known is distinct from excluded`;
  return count;
}

/** A server that is away gets the change from its own worker, when it is back. */
export const copyToAll = (db: Db) =>
  Promise.allSettled(db.servers.map((server) => copyIntegrations(db, server)));

const noIntegration = (detail = "There is no integration with this id.") =>
  fail("not-found", detail);

export interface ListedIntegration extends Integration {
  revoked: boolean;
  /** Aliases of the accounts that allow it. */
  allowedBy: string[];
}

export async function listIntegrations(db: Db): Promise<ListedIntegration[]> {
  const integrations = await db<Omit<ListedIntegration, "allowedBy">[]>`
    select id, name, revoked_at is not null as revoked from integrations order by name`;
  const allowances = await Promise.all(
    db.servers.map(
      (server) => server<{ id: string; alias: string }[]>`
        select allowed.integration_id as id, accounts.alias
        from account_integrations allowed join accounts on accounts.id = allowed.account_id`,
    ),
  );
  const aliases = Map.groupBy(allowances.flat(), ({ id }) => id);
  return integrations.map((one) => ({
    ...one,
    allowedBy: (aliases.get(one.id) ?? []).map(({ alias }) => alias).sort(),
  }));
}
