import { json } from "../../store/sql.ts";
import { createHash } from "node:crypto";
import type { Actor } from "../../access/actor.ts";
import { fail } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { Queryable, Tx } from "../../store/db.ts";

/** The response to a write. It can be stored and sent again. */
export interface WriteResponse {
  status: number;
  headers: Record<string, string>;
  /** Without the secret that `reveals` refers to. */
  body: string;
  reveals?: Record<string, unknown>;
}

export interface KeyedRequest {
  key: string;
  /** The method and the pattern of the route. Keys are per person and route. */
  route: string;
  method: string;
  url: string;
  body: unknown;
}

/**
 * Returns undefined without the header, and throws 400 for an invalid one. The draft of the header makes it a quoted string, and
 * many clients send the bare key. Both forms are the same key.
 */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const max = limits.idempotencyKeyLengthMax;
  const key = typeof header === "string" ? unquoted(header) : "";
  if (key.length === 0 || key.length > max)
    throw fail("invalid-header", `Idempotency-Key must have 1 to ${max} characters.`, KEY);
  return key;
}

const unquoted = (header: string): string =>
  /^"(?:[^"\\]|\\["\\])*"$/.test(header)
    ? header.slice(1, -1).replaceAll(/\\(["\\])/g, "$1")
    : header;

const KEY = { header: "Idempotency-Key" };

export const keyRequired = () =>
  fail("idempotency-key-required", "This request requires an `Idempotency-Key`.", KEY);

/** The first request took effect, but its answer cannot be repeated. */
export const secretSuperseded = () =>
  fail("secret-superseded", "The secret of the first answer has been replaced or used.", KEY);

/** Runs a write once per key. */
export async function once(
  tx: Tx,
  actor: Actor,
  request: KeyedRequest,
  run: () => Promise<WriteResponse>,
): Promise<WriteResponse> {
  const known = await takeKey(tx, actor, request);
  if (known) return known;
  const answer = await run();
  await remember(tx, actor, request, answer);
  return answer;
}

/**
 * Returns the stored answer to the same request, or undefined for the first request with the key.
 *
 * The row of the key is written in the transaction of the effect. A second request with the key waits for that row. If the
 * first request commits, the second one gets the stored answer. If it rolls back, the second one is the first.
 */
export async function takeKey(
  tx: Tx,
  actor: Actor,
  request: KeyedRequest,
): Promise<WriteResponse | undefined> {
  const { accountId } = actor;
  const { route } = request;
  const [taken] = await tx`
    insert into idempotency_keys as known (account_id, route, key, fingerprint)
    values (${accountId}, ${route}, ${ownKey(actor, request)}, ${fingerprintOf(actor, request)})
    on conflict (account_id, route, key) do update
      set fingerprint = excluded.fingerprint, status = null, headers = null, body = null,
        reveals = null, created_at = now()
      where known.created_at < now() - ${limits.idempotencyMs} * interval '1 millisecond'
    returning 1`;
  if (taken) return undefined;
  const known = await recall(tx, actor, request);
  if (!known)
    throw fail("idempotency-key-reused", "This key was used for a different request.", KEY);
  return known;
}

/** Stores the answer to the first request with the key, in the same transaction. */
export async function remember(
  tx: Tx,
  actor: Actor,
  request: KeyedRequest,
  { body, headers, reveals, status }: WriteResponse,
): Promise<void> {
  await tx`
    update idempotency_keys
    set status = ${status}, headers = ${json(headers)}, body = ${body},
      reveals = ${reveals === undefined ? null : JSON.stringify(reveals)}::text::jsonb
    where account_id = ${actor.accountId} and route = ${request.route} and key = ${ownKey(actor, request)}`;
}

/** The stored answer to the same request with the same key, if there is one. */
export async function recall(
  db: Queryable,
  actor: Actor,
  request: KeyedRequest,
): Promise<WriteResponse | undefined> {
  const [stored] = await db<(WriteResponse & { reveals: Record<string, unknown> | null })[]>`
    select status, headers, body, reveals from idempotency_keys
    where account_id = ${actor.accountId} and route = ${request.route} and key = ${ownKey(actor, request)}
      and fingerprint = ${fingerprintOf(actor, request)}
      and created_at >= now() - ${limits.idempotencyMs} * interval '1 millisecond'`;
  if (!stored) return undefined;
  const { body, headers, reveals, status } = stored;
  const repeated = { ...headers, "Idempotent-Replay": "true" };
  return { status, headers: repeated, body, ...(reveals && { reveals }) };
}

/** The stored key. It begins with the caller, so that two people can use the same key. */
const ownKey = ({ personId }: Actor, { key }: KeyedRequest): string => `${personId} ${key}`;

function fingerprintOf({ personId }: Actor, { method, url, body }: KeyedRequest): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([personId, method, url, canonical(body)]))
    .digest();
}

/** Sorts the members, so that their order in the document does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)]);
}

/** Deletes stored answers that contain a deleted person's data. */
export async function forgetAnswersAbout(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx`
    delete from idempotency_keys where account_id = ${accountId} and body like ${`%${id}%`}`;
}

/** Deletes the keys that are older than the window. */
export const idempotencyKeysJob: Job = {
  name: "idempotency-keys",
  schedule: "30 * * * *",
  async run(db) {
    const { count } = await db`
      delete from idempotency_keys
      where created_at < now() - ${limits.idempotencyMs} * interval '1 millisecond'`;
    return count;
  },
};
