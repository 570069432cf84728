import { ApiError, type Code, fail, type Problem, problem } from "../errors.ts";
import type { Db, Queryable } from "../store/db.ts";
import type { Actor, AdministrativeStatus, Assignment, ScopeType } from "./actor.ts";
import { permissionsOfPreset } from "./preset-roles.ts";
import { accessTokenKey, bearerOf, clientTokenHash } from "./tokens.ts";

/** What a request says about who sends it: its headers, and nothing of its path or body. */
export interface Credentials {
  authorization?: string | undefined;
  /** `X-SVC-API-Token` */
  clientToken?: string | undefined;
  origin?: string | undefined;
}

export interface CallerOptions {
  /** The first-party origins, as browsers write them. */
  origins: ReadonlySet<string>;
}

/** Webhook management is for people: a bearer, no client token, and no foreign origin. */
export type CallerRoute = "data" | "webhook-management";

/**
 * Who is asking, or the 401 or 403 that says why that is not known.
 *
 *   first-party origin              a bearer is enough
 *   any other, or none              a client token and a bearer, whose church is approved and allows the integration
 *   webhook management, any origin  the bearer of a full administrator, no client token, no foreign origin
 *
 * 401 comes before 403: nobody is told what they may not do before they have said who they are. What cannot be a
 * token is refused without asking the database.
 */
export async function identify(
  db: Queryable,
  credentials: Credentials,
  options: CallerOptions,
  route: CallerRoute,
): Promise<Actor> {
  const { clientToken, origin } = credentials;
  const external = route === "data" && !isFirstParty(origin, options);
  const problems: Problem[] = [];

  const bearer = accessTokenKey(bearerOf(credentials.authorization) ?? "");
  if (!bearer) problems.push(bearerProblem(credentials.authorization));

  const clientHash = external && clientToken ? clientTokenHash(clientToken) : undefined;
  if (external && !clientHash) problems.push(clientTokenProblem(clientToken));

  if (!bearer || problems.length > 0) throw unauthorized(problems);

  const caller = await findCaller(db, bearer.accountId, bearer.hash, clientHash);
  if (!caller) throw unauthorized([problem("credentials-invalid", INVALID_BEARER, AUTHORIZATION)]);
  if (clientHash && caller.integrationId === null)
    throw unauthorized([clientTokenProblem(clientToken)]);

  if (route === "webhook-management") {
    if (clientToken !== undefined)
      throw fail(
        "client-token-unsupported",
        "Webhooks are managed by people: leave out the client token.",
        CLIENT_TOKEN,
      );
    if (origin !== undefined && !options.origins.has(origin))
      throw fail("origin-not-allowed", "This origin may not manage webhooks.", {
        header: "Origin",
      });
  }
  if (caller.accountStatus !== "active") throw accountInactive();
  if (external) requireAllowed(caller);
  if (route === "webhook-management" && caller.administrativeStatus !== "full-administrator")
    throw fail("forbidden", "Only a full administrator may manage webhooks.");

  return {
    accountId: bearer.accountId,
    accountVersion: caller.accountVersion,
    personId: caller.personId,
    tokenId: caller.tokenId,
    administrativeStatus: caller.administrativeStatus,
    assignments: caller.assignments?.map(assignmentOf) ?? [],
    ...(external && caller.integrationId !== null && { integrationId: caller.integrationId }),
  };
}

/**
 * Who asks to log in: a first-party browser, or an integration with its client token. There is no church yet, so
 * whether the church allows the integration is asked once it is known: see `requireAllowed`.
 */
export async function identifyClient(
  db: Db,
  { clientToken, origin }: Credentials,
  options: CallerOptions,
): Promise<{ integrationId?: string }> {
  if (isFirstParty(origin, options)) return {};
  const hash = clientToken ? clientTokenHash(clientToken) : undefined;
  const [integration] = hash
    ? await db<{ id: string }[]>`
        select id from integrations where token_hash = ${hash} and revoked_at is null`
    : [];
  if (!integration) throw unauthorized([clientTokenProblem(clientToken)]);
  return { integrationId: integration.id };
}

/** A church is reached from outside once the operator approved it and it allows the integration. */
export function requireAllowed(church: { approved: boolean; allowed: boolean }): void {
  if (!church.approved)
    throw fail("church-not-approved", "This church is not approved for integrations.");
  if (!church.allowed)
    throw fail("integration-not-allowed", "This church does not allow this integration.");
}

export const accountInactive = () =>
  fail("account-inactive", "The account of this church is not active.");

const isFirstParty = (origin: string | undefined, { origins }: CallerOptions): boolean =>
  origin !== undefined && origins.has(origin);

const AUTHORIZATION = { header: "Authorization" };
const CLIENT_TOKEN = { header: "X-SVC-API-Token" };
const INVALID_BEARER =
  "The access token is unknown, expired or revoked, or its person is not active.";

/** RFC 9110 wants every 401 to name a scheme. A browser shows no dialogue for this one. */
export const challenge = { "WWW-Authenticate": 'Bearer realm="vestry"' } as const;

const unauthorized = (problems: readonly Problem[]) => new ApiError(problems, { ...challenge });

function bearerProblem(authorization: string | undefined): Problem {
  const [code, detail]: [Code, string] = authorization
    ? ["credentials-invalid", "`Authorization` does not carry an access token of this service."]
    : ["credentials-missing", "This request needs `Authorization: Bearer <ACCESS_TOKEN>`."];
  return problem(code, detail, AUTHORIZATION);
}

function clientTokenProblem(clientToken: string | undefined): Problem {
  const [code, detail]: [Code, string] = clientToken
    ? ["client-token-invalid", "The client token is unknown or revoked."]
    : ["client-token-missing", "A request from outside needs `X-SVC-API-Token: <CLIENT_TOKEN>`."];
  return problem(code, detail, CLIENT_TOKEN);
}

interface Caller {
  tokenId: string;
  personId: string;
  administrativeStatus: AdministrativeStatus;
  accountVersion: number;
  accountStatus: string;
  approved: boolean;
  integrationId: string | null;
  allowed: boolean;
  assignments: StoredAssignment[] | null;
}

/** As the statement writes it: role code, the role's own permissions, scope type, scope ids. */
type StoredAssignment = [string | null, readonly string[], ScopeType, readonly string[]];

function assignmentOf([code, own, scopeType, scopeIds]: StoredAssignment): Assignment {
  // A preset's permissions come from the code of this version. A code this version does not know grants nothing.
  const permissions = code === null ? own : (permissionsOfPreset.get(code) ?? []);
  return { permissions, scopeType, scopeIds };
}

/**
 * Everything about a caller in one statement: it runs before every request. Every part is one look-up by a whole key,
 * and nothing multiplies: `integrations.token_hash` is unique and `account_integrations` is met by its primary key.
 *
 * The roles of a full administrator are not read, since nothing asks for them: a full administrator may do everything.
 * Leading a cell and teaching a class are roles by themselves, never stored, so that they end with the task.
 */
const findCallerSql = (integration: { columns: string; joins: string }) => `
  select token.id, token.person_id, person.administrative_status,
    account.version, account.status, account.integration_approved, ${integration.columns},
    case when person.administrative_status <> 'full-administrator' then (
      select json_agg(held.assignment) from (
        select json_build_array(role.code, role.permissions, given.scope_type, given.scope_ids) as assignment
        from role_assignments given
        join roles role on role.account_id = $1 and role.id = given.role_id
        where given.account_id = $1 and given.person_id = token.person_id
          and (given.valid_from is null or given.valid_from <= now())
          and (given.valid_until is null or given.valid_until > now())
        union all
        select json_build_array('cell-leader', null, 'cell', json_agg(led.cell_id))
        from cell_memberships led
        where led.account_id = $1 and led.person_id = token.person_id
          and led.status = 'active' and led.cell_role in ('leader', 'co-leader')
        having count(*) > 0
        union all
        select json_build_array('teacher', null, 'course-class', json_agg(taught.class_id))
        from course_class_teachers taught
        where taught.account_id = $1 and taught.person_id = token.person_id
        having count(*) > 0
      ) held
    ) end
  from access_tokens token
  join people person on person.account_id = $1 and person.id = token.person_id and person.is_active
  join accounts account on account.id = $1 ${integration.joins}
  where token.account_id = $1 and token.token_hash = $2 and token.expires_at > now()`;

/** A first party brings no integration. */
const FIND_FIRST_PARTY = findCallerSql({ columns: "null, false", joins: "" });

const FIND_EXTERNAL = findCallerSql({
  columns: "integration.id, allowed.account_id is not null",
  joins: `
  left join integrations integration on integration.token_hash = $3 and integration.revoked_at is null
  left join account_integrations allowed
    on allowed.account_id = $1 and allowed.integration_id = integration.id`,
});

async function findCaller(
  db: Queryable,
  accountId: string,
  tokenHash: Buffer,
  clientTokenHash: Buffer | undefined,
): Promise<Caller | undefined> {
  const [statement, values] = clientTokenHash
    ? [FIND_EXTERNAL, [accountId, tokenHash, clientTokenHash]]
    : [FIND_FIRST_PARTY, [accountId, tokenHash]];
  const rows = await db.unsafe(statement, values, { prepare: true }).values();
  const row = rows[0] as
    | [
        string,
        string,
        AdministrativeStatus,
        number,
        string,
        boolean,
        string | null,
        boolean,
        Caller["assignments"],
      ]
    | undefined;
  if (!row) return undefined;
  const [
    tokenId,
    personId,
    administrativeStatus,
    accountVersion,
    accountStatus,
    approved,
    integrationId,
    allowed,
    assignments,
  ] = row;
  return {
    tokenId,
    personId,
    administrativeStatus,
    accountVersion,
    accountStatus,
    approved,
    integrationId,
    allowed,
    assignments,
  };
}
