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

export async function allowIntegration(db: Queryable, allowance: Allowance): Promise<void> {
  const ids = await accountAndIntegration(db, allowance);
  await db`
    insert into account_integrations (account_id, integration_id)
    values (${ids.accountId}, ${ids.integrationId}) on conflict do nothing`;
}

export async function disallowIntegration(db: Db, allowance: Allowance): Promise<void> {
  const ids = await accountAndIntegration(db, allowance);
  await db`
    delete from account_integrations
    where account_id = ${ids.accountId} and integration_id = ${ids.integrationId}`;
}

/** Two look-ups, so that the error names the wrong argument. */
async function accountAndIntegration(db: Queryable, { id, alias }: Allowance) {
  const [integration] = isId(id)
    ? await db<{ id: string }[]>`
        select id from integrations where id = ${id} and revoked_at is null`
    : [];
  if (!integration) throw noIntegration("There is no integration with this id, or it was revoked.");
  const [account] = await db<{ id: string }[]>`select id from accounts where alias = ${alias}`;
  if (!account) throw fail("not-found", `No account has the alias ${JSON.stringify(alias)}.`);
  return { accountId: account.id, integrationId: integration.id };
}

const noIntegration = (detail = "There is no integration with this id.") =>
  fail("not-found", detail);

export interface ListedIntegration extends Integration {
  revoked: boolean;
  /** Aliases of the accounts that allow it. */
  allowedBy: string[];
}

export async function listIntegrations(db: Db): Promise<ListedIntegration[]> {
  const rows = await db<{ id: string; name: string; revoked: boolean; allowed_by: string }[]>`
    select id, name, revoked_at is not null as revoked, coalesce((
      select string_agg(accounts.alias, ',' order by accounts.alias) from account_integrations
      join accounts on accounts.id = account_integrations.account_id
      where account_integrations.integration_id = integrations.id), '') as allowed_by
    from integrations order by name`;
  return rows.map(({ allowed_by, ...row }) => ({
    ...row,
    allowedBy: allowed_by === "" ? [] : allowed_by.split(","),
  }));
}
