import { ApiError, type Code, fail, type Problem, problem } from "../base/errors.ts";
import { isId, NIL_ID } from "../base/ids.ts";
import type { Db } from "../store/db.ts";
import { onEach } from "../store/on-each.ts";
import type { Actor } from "./actor.ts";
import {
  accountInactive,
  clientTokenProblem,
  type Credentials,
  requireAllowed,
} from "./identify.ts";
import { clientTokenHash } from "./tokens.ts";

/** The account whose public area a request names, and how the request relates to it. */
export interface Visited {
  accountId: string;
  accountVersion: number;
  accountStatus: string;
  country: string | null;
  approved: boolean;
  hasPublicArea: boolean;
  /** Whether the account lists the request's origin. Null without an origin. */
  listsOrigin: boolean | null;
  /** The integration of the client token. Null when the client token is unknown or absent. */
  integrationId: string | null;
  /** Whether the account allows that integration. */
  allowed: boolean;
}

/** Returns the account that `Authorization: Account <ACCOUNT_ID>` names, or throws 401. */
export async function findVisited(
  db: Db,
  { authorization, clientToken, origin }: Credentials,
): Promise<Visited> {
  const accountId = ACCOUNT.exec(authorization ?? "")?.[1];
  const clientHash = clientToken ? clientTokenHash(clientToken) : undefined;
  const [visited] =
    accountId !== undefined && isId(accountId)
      ? await db.serverOf(accountId)<Visited[]>`
          select account.account_id as "accountId", account.version as "accountVersion",
            account.status as "accountStatus", account.country, account.integration_approved as approved,
            account.has_public_area as "hasPublicArea",
            case when ${origin ?? null}::text is not null
              then coalesce(account.public_origins ? ${origin ?? null}, false) end as "listsOrigin",
            integration.id as "integrationId", allowed.account_id is not null as allowed
          from account_facts account
          left join integrations integration
            on integration.token_hash = ${clientHash ?? null} and integration.revoked_at is null
          left join account_integrations allowed
            on allowed.account_id = account.account_id and allowed.integration_id = integration.id
          where account.account_id = ${accountId}`
      : [];
  if (!visited) throw unauthorized(accountProblem(authorization));
  if (origin === undefined && visited.integrationId === null)
    throw unauthorized(clientTokenProblem(clientToken, NEITHER));
  return visited;
}

/**
 * Returns the visitor of a public area, or throws 403. An `Origin` counts before a client token. The visitor is an actor
 * without a person and without rights.
 */
export function visitorOf(visited: Visited): Actor {
  const { accountId, accountStatus, accountVersion, country, integrationId, listsOrigin } = visited;
  if (listsOrigin === false)
    throw fail("origin-not-allowed", "The account does not list this origin in `public-origins`.", {
      header: "Origin",
    });
  if (accountStatus !== "active") throw accountInactive();
  // A page of a listed origin needs no integration.
  requireAllowed({ approved: visited.approved, allowed: listsOrigin ?? visited.allowed });
  if (!visited.hasPublicArea) throw fail("forbidden", "This account has no public area.");
  return {
    ...withoutRights({ accountId, accountVersion, country }),
    ...(listsOrigin === null && integrationId !== null && { integrationId }),
  };
}

type VisitedAccount = Pick<Visited, "accountId" | "accountVersion" | "country">;

const withoutRights = (account: VisitedAccount): Actor => ({
  ...account,
  personId: NIL_ID,
  tokenId: NIL_ID,
  administrativeStatus: "none",
  assignments: [],
});

/**
 * Returns the visitor of the account's pages, or undefined if it has none. The pages show the public area, so they need
 * the same approval.
 */
export async function findPageVisitor(db: Db, alias: string): Promise<Actor | undefined> {
  const server = await db.serverOfAlias(alias);
  const [account] = await server<VisitedAccount[]>`
    select account_id as "accountId", version as "accountVersion", country from account_facts
    where alias = ${alias} and status = 'active' and integration_approved and has_public_area
      and has_public_pages`;
  return account && withoutRights(account);
}

/** The aliases of the accounts with pages, for search engines. */
export async function churchesWithPages(db: Db, most: number): Promise<string[]> {
  const aliases = await onEach(db.servers, async (server) => {
    const found = await server<{ alias: string }[]>`
      select alias from account_facts
      where status = 'active' and integration_approved and has_public_area and has_public_pages
      order by alias limit ${most}`;
    return found.map(({ alias }) => alias);
  });
  return aliases.flat().sort().slice(0, most);
}

/** Whether an active account lists the origin. */
export async function isPublicOrigin(db: Db, origin: string): Promise<boolean> {
  const counts = await onEach(db.servers, async (server) => {
    // With a limit, PostgreSQL would read the accounts one by one and not use the index.
    const [found] = await server<{ count: number }[]>`
      select count(*) from accounts where status = 'active' and settings -> 'public-origins' ? ${origin}`;
    return found?.count ?? 0;
  });
  return counts.some((count) => count > 0);
}

// The number of spaces is bounded to prevent slow matching.
const ACCOUNT = /^account {1,4}([\da-f-]{36})$/i;

const unauthorized = (one: Problem) =>
  new ApiError([one], { "WWW-Authenticate": 'Account realm="vestry"' });

function accountProblem(authorization: string | undefined): Problem {
  const [code, detail]: [Code, string] =
    authorization === undefined
      ? ["credentials-missing", "This request needs `Authorization: Account <ACCOUNT_ID>`."]
      : ["credentials-invalid", "`Authorization` does not name an account of this service."];
  return problem(code, detail, { header: "Authorization" });
}

const NEITHER =
  "This request needs an `Origin` of the account's `public-origins`, or `X-SVC-API-Token: <CLIENT_TOKEN>`.";
