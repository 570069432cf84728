import type { Scope } from "./scopes.ts";

/** The caller as stored in the database when the request began. It is not kept after the request. */
export interface Actor {
  accountId: string;
  /** Increases with every change of the account. Caches of account data use it as a key. */
  accountVersion: number;
  /** The country of telephone numbers without a country code. */
  country?: string | null;
  personId: string;
  tokenId: string;
  administrativeStatus: AdministrativeStatus;
  assignments: readonly Assignment[];
  /** Set when the request came through an external integration. It never adds rights. */
  integrationId?: string;
  /** Set when the request came with the cookie of a browser session, from a page of the service. */
  isSession?: true;
  /** The merged people whom the request names, and the people who were kept. Null for an anonymized person. Absent if there are none. */
  keptIds?: ReadonlyMap<string, string | null>;
}

/** In ascending rank. */
const ranks = ["none", "administrator", "full-administrator"] as const;

export type AdministrativeStatus = (typeof ranks)[number];

/**
 * Permissions and their scope, from a role, the administrative status or the defaults of every active person. Empty
 * `scopeIds` match nothing, except for scopes without ids (`account`, `self`, `public`).
 */
export interface Assignment {
  permissions: readonly string[];
  scopeType: Scope;
  scopeIds: readonly string[];
  /** The time at which it ends. Null or absent without an end. */
  until?: string | null;
  /** The person holds it because of a task, such as leading a cell. */
  isDerived?: boolean;
}

export const isFullAdministrator = (actor: Actor): boolean =>
  actor.administrativeStatus === "full-administrator";

/** The caller with only those rights that last until a time, or that have no end. */
export const lasting = (actor: Actor, until: string | null): Actor => ({
  ...actor,
  assignments: actor.assignments.filter(
    ({ until: end = null }) =>
      end === null || (until !== null && Date.parse(end) >= Date.parse(until)),
  ),
});

/** Whether this status ranks above the caller's. */
export const ranksAbove = (
  status: AdministrativeStatus,
  { administrativeStatus }: Actor,
): boolean => ranks.indexOf(status) > ranks.indexOf(administrativeStatus);
