import type { Queryable } from "../store/db.ts";
import type { AdministrativeStatus, ScopeType } from "./actor.ts";
import type { AccessTokenKey } from "./tokens.ts";

/** Who holds a token, and all that a request must know of them. */
export interface Caller {
  tokenId: string;
  personId: string;
  administrativeStatus: AdministrativeStatus;
  accountVersion: number;
  accountStatus: string;
  approved: boolean;
  integrationId: string | null;
  allowed: boolean;
  assignments: readonly StoredAssignment[] | null;
}

/** As the statement writes it: role code, the role's own permissions, scope type, scope ids. */
export type StoredAssignment = [string | null, readonly string[], ScopeType, readonly string[]];

/**
 * What a full administrator wants to read, to be asked together with who they are: one way to the database in place of
 * two. PostgreSQL answers it to a full administrator and to nobody else.
 */
export interface Errand {
  /** Its values are the account and the id; its first column is never null, and a condition can follow at its end. */
  sql: string;
  id: string;
  /** What was read, if it was asked along with the caller. */
  rows?: readonly (readonly unknown[])[];
}

const columns = {
  tokenId: "token.id",
  personId: "token.person_id",
  administrativeStatus: "person.administrative_status",
  accountVersion: "account.version",
  accountStatus: "account.status",
  approved: "account.integration_approved",
  // A first party brings no integration.
  integrationId: "null",
  allowed: "false",
  assignments:
    "case when person.administrative_status <> 'full-administrator' then assignments_of($1, person.id) end",
} satisfies Record<keyof Caller, string>;

/** In the order in which they are asked for and answered. */
const names = Object.keys(columns) as (keyof Caller)[];

interface Integration {
  columns?: Partial<typeof columns>;
  joins: string;
}

/**
 * Everything about a caller in one statement: it runs before every request. Every part is one look-up by a whole key,
 * and nothing multiplies: `integrations.token_hash` is unique and `account_integrations` is met by its primary key.
 *
 * The roles of a full administrator are not read, since nothing asks for them: a full administrator may do everything.
 */
const callerSql = (hash: string, integration: Integration) => `
  select ${names.map((name) => ({ ...columns, ...integration.columns })[name]).join(", ")}
  from access_tokens token
  join people person on person.account_id = $1 and person.id = token.person_id and person.is_active
  join accounts account on account.id = $1 ${integration.joins}
  where token.account_id = $1 and token.token_hash = ${hash} and token.expires_at > now()`;

const firstPartySql = (hash: string) => callerSql(hash, { joins: "" });

const externalSql = (hash: string, clientHash: string) =>
  callerSql(hash, {
    columns: { integrationId: "integration.id", allowed: "allowed.account_id is not null" },
    joins: `
  left join integrations integration on integration.token_hash = ${clientHash} and integration.revoked_at is null
  left join account_integrations allowed
    on allowed.account_id = $1 and allowed.integration_id = integration.id`,
  });

/** `offset 0` keeps the errand a part of its own, which PostgreSQL enters for a full administrator alone. */
const withErrand = (caller: string, errand: string) => `
  select caller.*, errand.* from (${caller}) caller
  left join lateral (${errand} and caller.administrative_status = 'full-administrator' offset 0) errand on true`;

interface Texts {
  firstParty: string;
  external: string;
}

const alone: Texts = { firstParty: firstPartySql("$2"), external: externalSql("$2", "$3") };

/** By the errand's own text, of which there is one for each type. */
const together = new Map<string, Texts>();

function textsWith({ sql }: Errand): Texts {
  let texts = together.get(sql);
  if (!texts) {
    texts = {
      firstParty: withErrand(firstPartySql("$3"), sql),
      external: withErrand(externalSql("$3", "$4"), sql),
    };
    together.set(sql, texts);
  }
  return texts;
}

export async function findCaller(
  db: Queryable,
  { accountId, hash }: AccessTokenKey,
  clientHash: Buffer | undefined,
  errand: Errand | undefined,
): Promise<Caller | undefined> {
  const texts = errand ? textsWith(errand) : alone;
  const text = clientHash ? texts.external : texts.firstParty;
  const values = errand ? [accountId, errand.id, hash] : [accountId, hash];
  if (clientHash) values.push(clientHash);
  const [found] = await db.unsafe(text, values, { prepare: true }).values();
  if (!found) return undefined;
  const row = found as unknown as readonly unknown[];
  const caller = Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as Caller;
  if (errand && caller.administrativeStatus === "full-administrator") {
    const read = row.slice(names.length);
    errand.rows = read[0] === null ? [] : [read];
  }
  return caller;
}
