import type { QueryClient } from "@tanstack/react-query";
import { keys } from "./keys.ts";

/** A record of any type, as the client of the service reads it. */
export type Kept = { readonly id: string; readonly $type: string; readonly $etag?: string };

type Members = Readonly<Record<string, unknown>>;

const isLink = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ("$type" in value || (Array.isArray(value) && value.some(isLink)));

/** The kept record with the attributes and the version of the newer one. Its nested records stay. */
function renewed<Old extends Kept>(old: Old, record: Kept, onlyKnown: boolean): Old {
  const before = old as Old & Members;
  const attributes = Object.entries(record as Kept & Members).filter(
    ([name, value]) =>
      (!onlyKnown || name in before || name === "$etag") && !isLink(value) && !isLink(before[name]),
  );
  return { ...old, ...Object.fromEntries(attributes) };
}

/** When this tab wrote records whose change the stream has not reported yet. */
const written = new Map<string, number>();

/** A report that takes longer is that of another change. */
const REPORT_MS = 5_000;

/** Whether the change of a record is the write of this tab, which has read what it needs. Each write is one change. */
export function isOwnWrite({ type, id }: { type: string; id: string }): boolean {
  const at = written.get(`${type} ${id}`);
  return written.delete(`${type} ${id}`) && at !== undefined && performance.now() - at < REPORT_MS;
}

/** Puts a record that a write returned into the cache: into the reads of this record, and into the rows of lists. */
export function keepRecord(client: QueryClient, record: Kept): void {
  const { $type: type, id } = record;
  written.set(`${type} ${id}`, performance.now());
  client.setQueriesData<Kept>({ queryKey: [type, "one", id] }, (old) =>
    old === undefined ? old : renewed(old, record, false),
  );
  client.setQueriesData<{ items: Kept[] }>({ queryKey: [type, "page"] }, (old) =>
    old?.items?.some((row) => row.id === id)
      ? {
          ...old,
          items: old.items.map((row) => (row.id === id ? renewed(row, record, true) : row)),
        }
      : old,
  );
}

/** Marks lists of the types as stale, and single records of all but the written type, which `keepRecord` has renewed. */
export function markStale(client: QueryClient, types: readonly string[], written?: Kept): void {
  for (const type of types)
    void client.invalidateQueries({
      queryKey: keys.type(type),
      predicate: ({ queryKey }) =>
        written === undefined || queryKey[1] !== "one" || queryKey[2] !== written.id,
    });
}
