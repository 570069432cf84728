import type { Queryable } from "./queryable.ts";

/**
 * The rest of the transaction adds nothing to the journal: it copies rows with their journal, makes examples, changes the schema, or
 * deletes the account with its journal. Rows that wait for the commit would also keep their tables from being altered.
 */
export const withoutJournal = (tx: Queryable) => tx`set local vestry.journal = 'off'`;
