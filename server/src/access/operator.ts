import type { Actor } from "./actor.ts";

/** No person has the nil id (RFC 9562), so nothing that was done by it can be taken for somebody's. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Whoever has a shell on the machine, acting in a church by the command line. They are none of its people: events name
 * them as nobody, and what they write has no author.
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
