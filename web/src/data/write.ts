import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ResourceType, VestryError } from "@vestry/sdk";
import { type Kept, keepRecord, markStale } from "./cache.ts";
import { compare, type Conflict, isNothing, type Values } from "./conflict.ts";
import { randomKey } from "./random-key.ts";
import { retryDelay, shouldRetry } from "./query-client.ts";

/** One intent of the user, such as the press of a button. Its key stays the same over retries, so it happens once. */
export type Intent = { idempotencyKey: string };

export const newIntent = (): Intent => ({ idempotencyKey: randomKey() });

const isKept = (result: unknown): result is Kept =>
  typeof result === "object" && result !== null && "$type" in result && "id" in result;

/** A colleague was faster: the version or the state of the record is another one. */
export const isOvertaken = ({ code }: VestryError): boolean =>
  code === "stale-version" || code === "invalid-transition";

const isStale = (error: unknown): boolean =>
  error instanceof VestryError && error.code === "stale-version";

/**
 * The one way in which screens write outside of forms. A record that the write returns goes into the cache with its version.
 * `touches` names the types whose cached rows are stale afterwards.
 */
export function useWrite<Values, Result>(
  send: (values: Values, intent: Intent) => Promise<Result>,
  {
    touches,
    onDone,
  }: { touches: readonly ResourceType[]; onDone?: (result: Result, values: Values) => void },
) {
  const client = useQueryClient();
  return useMutation<Result, VestryError, { values: Values; intent: Intent }>({
    mutationFn: ({ values, intent }) => send(values, intent),
    retry: shouldRetry,
    retryDelay,
    onSuccess: (result, { values }) => {
      const written = isKept(result) ? result : undefined;
      if (written) keepRecord(client, written);
      onDone?.(result, values);
      markStale(client, touches, written);
    },
    // What the colleague changed is read, so that the next attempt goes over it knowingly.
    onError: (error) => {
      if (isOvertaken(error)) markStale(client, touches);
    },
  });
}

/** Repeats a write with a key twice, as reads are repeated. */
export async function patiently<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let count = 0; ; count += 1)
    try {
      return await send();
    } catch (error) {
      if (!shouldRetry(count, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(count, error)));
    }
}

/** Colleagues who change the same record without pause are reported as a failure. */
const ATTEMPTS = 4;

export type Saving<Result extends Kept> = {
  /** Writes the changes under the version, if there is one. */
  send: (changes: Values, etag: string | undefined) => Promise<Result>;
  /** Reads the record again. A form for a new record has none. */
  read?: (() => Promise<Result>) | undefined;
  /** The values of the record, by the names that the changes use. */
  valuesOf: (record: Result) => Values;
};

export type Saved<Result> =
  | { kind: "saved"; record: Result; wasMerged: boolean }
  | { kind: "conflict"; theirs: Result; changes: Values; conflicts: Conflict[] };

/**
 * Writes changes of `base`. If somebody else has changed the record since, their changes stay and mine are written over them. Where
 * both changed the same value, nothing is written and the caller asks.
 */
export async function saveOver<Result extends Kept>(
  { base, etag }: { base: Values; etag?: string | undefined },
  changes: Values,
  { send, read, valuesOf }: Saving<Result>,
): Promise<Saved<Result>> {
  let version = etag;
  let mine = changes;
  for (let attempt = 1; ; attempt += 1)
    try {
      return { kind: "saved", record: await send(mine, version), wasMerged: attempt > 1 };
    } catch (error) {
      if (!isStale(error) || read === undefined || attempt === ATTEMPTS) throw error;
      const theirs = await read();
      const compared = compare(base, changes, valuesOf(theirs));
      if (compared.conflicts.length > 0) return { kind: "conflict", theirs, ...compared };
      if (isNothing(compared.changes)) return { kind: "saved", record: theirs, wasMerged: true };
      mine = compared.changes;
      version = theirs.$etag;
    }
}
