import type { Actor } from "./actor.ts";

/** No person has the nil id (RFC 9562), so it cannot identify one by mistake. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";

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

export const isOperator = ({ personId }: Actor): boolean => personId === NIL_ID;
