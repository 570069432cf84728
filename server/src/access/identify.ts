import { ApiError, type Code, fail, type Problem, problem } from "../base/errors.ts";
import type { Db, Tx } from "../store/db.ts";
import type { Actor, Assignment } from "./actor.ts";
import { type Caller, findCaller } from "./find-caller.ts";
import type { Rights } from "./rights.ts";
import { accessTokenKey, bearerOf, browserTokenKey, clientTokenHash } from "./tokens.ts";
import { recordUse } from "./token-use.ts";

/** The headers that identify the caller. */
export interface Credentials {
  authorization?: string | undefined;
  /** `X-SVC-API-Token` */
  clientToken?: string | undefined;
  origin?: string | undefined;
  /** The token of a browser session, from a request that a page of the service has sent. */
  sessionToken?: string | undefined;
  /** `Vestry-Person`: the person for whom a page sends the request. Its cookie can meanwhile be that of another person. */
  personId?: string | undefined;
}

export interface CallerOptions {
  /** The first-party origins, as browsers write them. */
  origins: ReadonlySet<string>;
  rights: Rights;
}

/** Webhook management requires a person's bearer token, no client token, and no foreign origin. */
export type CallerRoute = "data" | "webhook-management";

/**
 * Returns the caller, or throws 401 or 403.
 *
 *   first-party origin              a bearer is enough
 *   any other, or none              a client token and a bearer, whose account is approved and allows the integration
 *   webhook management, any origin  the bearer of a full administrator, no client token, no foreign origin
 *   the service's own pages         the cookie of a browser session is enough, also for webhook management
 *
 * 401 comes before 403. A malformed token is rejected without a query.
 */
export async function identify(
  db: Db | Tx,
  credentials: Credentials,
  options: CallerOptions,
  route: CallerRoute,
  namedIds: readonly string[] = [],
): Promise<Actor> {
  const { clientToken, origin, personId, sessionToken } = credentials;
  const isSession = sessionToken !== undefined;
  const external = route === "data" && !isSession && !isFirstParty(origin, options);
  const problems: Problem[] = [];

  const token = isSession
    ? browserTokenKey(sessionToken)
    : accessTokenKey(bearerOf(credentials.authorization) ?? "");
  if (!token) problems.push(isSession ? sessionEnded() : bearerProblem(credentials.authorization));

  const clientHash = external && clientToken ? clientTokenHash(clientToken) : undefined;
  if (external && !clientHash) problems.push(clientTokenProblem(clientToken));

  if (!token || problems.length > 0) throw unauthorized(problems);

  const at = db.kind === "database" ? db.serverOf(token.accountId) : db;
  const caller = await findCaller(at, token, clientHash, namedIds);
  if (!caller)
    throw unauthorized([
      isSession ? sessionEnded() : problem("credentials-invalid", INVALID_BEARER, AUTHORIZATION),
    ]);
  if (clientHash && caller.integrationId === null)
    throw unauthorized([clientTokenProblem(clientToken)]);
  if (personId !== undefined && personId !== caller.personId) throw otherPerson();

  if (route === "webhook-management") {
    if (clientToken !== undefined)
      throw fail(
        "client-token-unsupported",
        "Webhooks are managed by people: leave out the client token.",
        CLIENT_TOKEN,
      );
    if (!isSession && origin !== undefined && !options.origins.has(origin))
      throw fail("origin-not-allowed", "This origin may not manage webhooks.", {
        header: "Origin",
      });
  }
  if (caller.accountStatus !== "active") throw accountInactive();
  if (external) requireAllowed(caller);
  if (route === "webhook-management" && caller.administrativeStatus !== "full-administrator")
    throw fail("forbidden", "Only a full administrator may manage webhooks.");
  if (caller.isUseDue && at.kind === "database") await recordUse(at, token);

  return {
    accountId: token.accountId,
    accountVersion: caller.accountVersion,
    country: caller.country,
    personId: caller.personId,
    tokenId: caller.tokenId,
    administrativeStatus: caller.administrativeStatus,
    assignments: assignmentsOf(caller, options.rights),
    ...(external && caller.integrationId !== null && { integrationId: caller.integrationId }),
    ...(isSession && { isSession }),
    ...(caller.keptIds && { keptIds: new Map(Object.entries(caller.keptIds)) }),
  };
}

/**
 * Identifies the client of a log-in: a first-party browser, or an integration with its client token. `requireAllowed`
 * checks the account later.
 */
export async function identifyClient(
  db: Db,
  { clientToken, origin }: Credentials,
  options: Pick<CallerOptions, "origins">,
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

/** Integrations can use an account that the operator has approved and that allows them. */
export function requireAllowed(account: { approved: boolean; allowed: boolean }): void {
  if (!account.approved)
    throw fail("church-not-approved", "This account is not approved for integrations.");
  if (!account.allowed)
    throw fail("integration-not-allowed", "This account does not allow this integration.");
}

export const accountInactive = () => fail("account-inactive", "This account is not active.");

const isFirstParty = (
  origin: string | undefined,
  { origins }: Pick<CallerOptions, "origins">,
): boolean => origin !== undefined && origins.has(origin);

const AUTHORIZATION = { header: "Authorization" };
const CLIENT_TOKEN = { header: "X-SVC-API-Token" };
const INVALID_BEARER =
  "The access token is unknown, expired or revoked, or its person is not active.";

/** RFC 9110 requires a scheme in every 401. Browsers show no dialog for this one. */
export const challenge = { "WWW-Authenticate": 'Bearer realm="vestry"' } as const;

export const unauthorized = (problems: readonly Problem[]) =>
  new ApiError(problems, { ...challenge });

function bearerProblem(authorization: string | undefined): Problem {
  const [code, detail]: [Code, string] = authorization
    ? ["credentials-invalid", "`Authorization` does not carry an access token of this service."]
    : ["credentials-missing", "This request needs `Authorization: Bearer <ACCESS_TOKEN>`."];
  return problem(code, detail, AUTHORIZATION);
}

const sessionEnded = (): Problem =>
  problem("credentials-invalid", "The browser session has ended. Log in again.", {
    header: "Cookie",
  });

const otherPerson = () =>
  unauthorized([
    problem("other-person", "The credentials are those of another person than `Vestry-Person`.", {
      header: "Vestry-Person",
    }),
  ]);

export function clientTokenProblem(
  clientToken: string | undefined,
  needed = "A request needs `X-SVC-API-Token: <CLIENT_TOKEN>`, unless its `Origin` is a first party's.",
): Problem {
  const [code, detail]: [Code, string] = clientToken
    ? ["client-token-invalid", "The client token is unknown or revoked."]
    : ["client-token-missing", needed];
  return problem(code, detail, CLIENT_TOKEN);
}

/** Full administrators need no roles. */
export function assignmentsOf(
  { administrativeStatus, assignments }: Pick<Caller, "administrativeStatus" | "assignments">,
  { everyone, presets }: Rights,
): readonly Assignment[] {
  if (administrativeStatus === "full-administrator") return [];
  const ofRoles = assignments?.map(
    ([code, own, scopeType, scopeIds, until, isDerived]): Assignment => ({
      permissions: permissionsOf({ code, own }, presets),
      scopeType,
      scopeIds,
      until,
      isDerived,
    }),
  );
  const permissions = presets.get("administrator") ?? [];
  const status: Assignment = { permissions, scopeType: "account", scopeIds: [] };
  return [
    ...(administrativeStatus === "administrator" ? [status] : []),
    ...everyone,
    ...(ofRoles ?? []),
  ];
}

/** The permissions of a preset are those of this version. It does not know codes of later versions. */
export const permissionsOf = (
  { code, own }: { code: string | null; own: readonly string[] },
  presets: Rights["presets"],
): readonly string[] => (code === null ? own : (presets.get(code) ?? []));
