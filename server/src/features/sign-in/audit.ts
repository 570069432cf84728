import type { Actor } from "../../access/actor.ts";
import type { PersonKey } from "../../access/logins.ts";
import { NIL_ID } from "../../base/ids.ts";
import { observe } from "../../base/observe.ts";
import { signWrites } from "../../events/author.ts";
import { json } from "../../store/sql.ts";
import { type Db, inTransaction, sendWithCommit, type Tx } from "../../store/db.ts";

type Action = "logged-in" | "login-failed" | "password-changed";

/** The request that the entry names. */
export interface AuditedRequest {
  address: string;
  requestId: string;
  integrationId?: string | undefined;
}

/**
 * Adds an entry about a person. It takes its place in the order of commits, for which other writes of the account wait. It is
 * therefore the last statement of its transaction.
 */
export function addEntry(
  tx: Tx,
  { accountId, personId }: PersonKey,
  action: Action,
  { address, integrationId, requestId }: AuditedRequest,
): void {
  const isOwn = action !== "login-failed";
  const actor = { personId: isOwn ? personId : NIL_ID, integrationId };
  const cause = integrationId === undefined ? "ui" : "api";
  signWrites(tx, actor, { cause, type: "people", request: requestId, ip: address });
  sendWithCommit(
    tx,
    tx`
      select journal_add(${accountId}, 'people', ${personId}, null, ${action}, '{}', ${personId})
    `.execute(),
  );
}

/** Adds the entry of tokens that a caller has revoked. It is the last statement of its transaction, too. */
export function addRevocation(
  tx: Tx,
  actor: Actor,
  { count, personId }: { personId: string; count: number },
  { address, requestId }: AuditedRequest,
): void {
  signWrites(tx, actor, { type: "people", request: requestId, ip: address });
  const changes = { "access-tokens": { from: count, to: 0 } };
  sendWithCommit(
    tx,
    tx`
      select journal_add(${actor.accountId}, 'people', ${personId}, null, 'permission-changed', ${json(changes)}::jsonb,
        ${personId})
    `.execute(),
  );
}

/**
 * Adds the entry of a wrong password. The answer does not wait for it, because a log-in with an unknown address would be faster
 * by that time.
 */
export function addFailure(db: Db, key: PersonKey, request: AuditedRequest): void {
  inTransaction(db, key.accountId, async (tx) => addEntry(tx, key, "login-failed", request)).catch(
    (error: unknown) => {
      const { requestId } = request;
      observe({ kind: "request-failed", requestId, route: "the audit of a log-in", error });
    },
  );
}
