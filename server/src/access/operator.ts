import { NIL_ID } from "../base/ids.ts";
import type { Actor } from "./actor.ts";

/**
 * The command-line operator, acting in an account. The operator is not a person: events have no actor, and rows have
 * no author.
 */
export const operator = (accountId: string): Actor => ({
  accountId,
  accountVersion: 0,
  personId: NIL_ID,
  tokenId: NIL_ID,
  administrativeStatus: "full-administrator",
  assignments: [],
});

export const isOperator = ({ personId }: Pick<Actor, "personId">): boolean => personId === NIL_ID;

/** The author of the rows that the caller writes. */
export const authorOf = (actor: Pick<Actor, "personId">): string | null =>
  isOperator(actor) ? null : actor.personId;

/** The service itself, for work that no person does: it acts in the account of a visitor. */
export const serviceOf = ({ accountId, accountVersion, country }: Actor): Actor => ({
  ...operator(accountId),
  accountVersion,
  ...(country !== undefined && { country }),
});
