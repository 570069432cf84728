import type { Actor } from "./actor.ts";

/** No person has the nil id (RFC 9562), so nothing that was done by it can be taken for somebody's. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * Whoever has a shell on the machine, acting in a church by the command line. They are none of its people: events name
 * them as nobody, and what they write has no author.
 */
export const operator = (accountId: string): Actor => ({
  accountId,
  accountVersion: 0,
  personId: NOBODY,
  tokenId: NOBODY,
  administrativeStatus: "full-administrator",
  assignments: [],
});

export const isNobody = ({ personId }: Actor): boolean => personId === NOBODY;
