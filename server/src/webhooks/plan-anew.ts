import type { Tx } from "../store/db.ts";

/**
 * Has the rest of the transaction planned for what is there now. A plan is kept otherwise that was made for a day that
 * had just begun: by any index, since all were empty, and for each row of ten thousand it reads ten thousand.
 */
export const planAnew = (tx: Tx) => tx`set local plan_cache_mode = force_custom_plan`;
