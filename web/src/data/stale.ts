/** Which reads a change of a record makes stale. */
import type { QueryKey } from "@tanstack/react-query";

/** The records that changed: their ids by type. */
export type Changed = ReadonlyMap<string, ReadonlySet<string>>;

/** Records of other types that show a count or a value of these, which they need not contain. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  "cell-attendances": ["cell-meetings", "cell-report-totals", "people"],
  "cell-meetings": ["cell-attendances", "cell-report-totals", "cells"],
  "cell-memberships": ["cell-attendances", "cells", "people"],
  "course-enrollments": ["people"],
  "form-submissions": ["forms"],
  "household-memberships": ["households", "people"],
  "households": ["people"],
};

/** Records by which the rights and the names in the menu are decided. */
const OF_SESSION = ["accounts", "role-assignments", "roles", "cell-memberships"];

/**
 * Lists of a changed type can gain and lose rows, so all of them are stale. Other reads are stale if they read a changed record, show
 * what depends on it, or contain it.
 */
export function isStale(
  { queryKey, data }: { queryKey: QueryKey; data: unknown },
  changed: Changed,
  me: string | undefined,
): boolean {
  const [type, kind, id] = queryKey as readonly [string, string?, unknown?];
  if (type === "session")
    return (
      OF_SESSION.some((one) => changed.has(one)) || (changed.get("people")?.has(me ?? "") ?? false)
    );
  // What the device keeps does not follow the service.
  if (type === "device") return false;
  // Every change is an entry.
  if (type === "audit-entries") return true;
  const own = changed.get(type);
  if (own && (kind !== "one" || own.has(String(id === "me" ? me : id)))) return true;
  for (const [other, ids] of changed)
    if (SHOWN_BY[other]?.includes(type) || contains(data, other, ids)) return true;
  return false;
}

/** Whether one of the records is somewhere in what was read. */
function contains(data: unknown, type: string, ids: ReadonlySet<string>): boolean {
  if (typeof data !== "object" || data === null) return false;
  if ("$type" in data && "id" in data && data.$type === type && ids.has(String(data.id)))
    return true;
  return Object.values(data).some((one) => contains(one, type, ids));
}
