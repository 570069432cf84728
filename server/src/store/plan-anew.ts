import type { Tx } from "./db.ts";

/**
 * Makes PostgreSQL plan the rest of the transaction for the present data. A cached plan may date from the start of the
 * day, when all indexes were empty and equally good. With ten thousand rows it reads ten thousand rows for each.
 */
export const planAnew = (tx: Tx) => tx`set local plan_cache_mode = force_custom_plan`;
