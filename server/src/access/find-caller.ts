import { limits } from "../base/limits.ts";
import type { Queryable } from "../store/db.ts";
import type { AdministrativeStatus } from "./actor.ts";
import type { ScopeType } from "./scopes.ts";
import type { PersonTokenKey } from "./tokens.ts";

/** The person who holds a token, and everything a request needs to know about them. */
export interface Caller {
  tokenId: string;
  personId: string;
  administrativeStatus: AdministrativeStatus;
  accountVersion: number;
  accountStatus: string;
  country: string | null;
  approved: boolean;
  /** The integration of the client token. Null when the client token is unknown or absent. */
  integrationId: string | null;
  /** Whether the account allows that integration. */
  allowed: boolean;
  /** The kept people by the ids of merged ones, and null by those of anonymized ones, for the ids that the request names. */
  keptIds?: Readonly<Record<string, string | null>> | null;
  /** Whether the use of the token was last recorded some time ago. */
  isUseDue: boolean;
  /** Null for full administrators, who need no roles. */
  assignments: readonly StoredAssignment[] | null;
}

/** Role code, the role's own permissions, scope type, scope ids, the time at which it ends, whether it is derived. */
export type StoredAssignment = [
  string | null,
  readonly string[],
  ScopeType,
  readonly string[],
  string | null,
  boolean,
];

/**
 * Runs before every request. Each join is a look-up by a unique key, so the result has at most one row. The ids of merged
 * and anonymized people that a write names are resolved here, because a statement of their own would cost a round trip.
 */
export async function findCaller(
  db: Queryable,
  { accountId, hash }: PersonTokenKey,
  clientHash: Buffer | undefined,
  namedIds: readonly string[],
): Promise<Caller | undefined> {
  const keptIds = db`
    , (select json_object_agg(known.id, known.kept_id) from resolved_people known
       where known.account_id = ${accountId} and known.id = any(${[...namedIds]}::uuid[])
         and known.resolved_at > now() - ${limits.mergedIdMs} * interval '1 millisecond') as "keptIds"`;
  const [caller] = await db<Caller[]>`
    select token.id as "tokenId", token.person_id as "personId",
      token.last_used_at < now() - ${limits.tokenUseMs} * interval '1 millisecond' as "isUseDue",
      person.administrative_status as "administrativeStatus",
      account.version as "accountVersion", account.status as "accountStatus",
      account.settings ->> 'country' as country,
      account.integration_approved as approved,
      integration.id as "integrationId", allowed.account_id is not null as allowed,
      case when person.administrative_status <> 'full-administrator'
        then assignments_of(${accountId}, person.id) end as assignments
      ${namedIds.length > 0 ? keptIds : db``}
    from access_tokens token
    join people person
      on person.account_id = ${accountId} and person.id = token.person_id and person.is_active
    join accounts account on account.id = ${accountId}
    left join integrations integration
      on integration.token_hash = ${clientHash ?? null} and integration.revoked_at is null
    left join account_integrations allowed
      on allowed.account_id = ${accountId} and allowed.integration_id = integration.id
    where token.account_id = ${accountId} and token.token_hash = ${hash}
      and token.expires_at > now()`;
  return caller;
}
