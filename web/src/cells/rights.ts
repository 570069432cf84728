import type { CellRecord } from "../data/cells.ts";

/** What the caller may do with a group: true, false, or the code of the error that an action would return now. */
export function rightsOf(cell: CellRecord) {
  const { update = [], actions = {} } = cell.$meta?.may ?? {};
  return {
    may: (action: string): boolean | string => actions[action] ?? false,
    mayWrite: (name: string): boolean => update.includes(name),
  };
}
