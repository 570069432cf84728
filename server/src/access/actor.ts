/** Who is asking, as the database knew them when this request began. Nothing of it outlives the request. */
export interface Actor {
  accountId: string;
  /** Grows with every change to the account; what is cached of an account is cached under it. */
  accountVersion: number;
  personId: string;
  tokenId: string;
  administrativeStatus: AdministrativeStatus;
  assignments: readonly Assignment[];
  /** Set when the request came through an external integration. It never adds rights. */
  integrationId?: string;
}

/** Each ranks above those before it. */
const ranks = ["none", "administrator", "full-administrator"] as const;

export type AdministrativeStatus = (typeof ranks)[number];

/**
 * Permissions and where they hold: from a role, from the administrative status, or as every active person has them.
 * `scopeIds` empty means nowhere, unless the scope needs no ids (`account`, `self`).
 */
export interface Assignment {
  permissions: readonly string[];
  scopeType: ScopeType;
  scopeIds: readonly string[];
}

export const scopeTypes = [
  "account",
  "campus",
  "cell-tree",
  "cell",
  "course",
  "course-class",
  "list",
  "self",
] as const;

export type ScopeType = (typeof scopeTypes)[number];

export const isFullAdministrator = (actor: Actor): boolean =>
  actor.administrativeStatus === "full-administrator";

/** Whether somebody of that standing ranks above whoever asks, and so is not theirs to lock out. */
export const outranks = (
  standing: AdministrativeStatus,
  { administrativeStatus }: Actor,
): boolean => ranks.indexOf(standing) > ranks.indexOf(administrativeStatus);
