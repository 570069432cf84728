import { ApiError, problem, unavailable } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { observe } from "../../base/observe.ts";
import type { Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { lockAction } from "./action-lock.ts";

interface ActionLimit {
  perAccount: number;
  perEndpoint: number;
  windowMs: number;
  called: readonly [what: string, within: string];
}

export const actionLimits = {
  verification: {
    perAccount: webhookLimits.verificationsPerAccount,
    perEndpoint: webhookLimits.verificationsPerEndpoint,
    windowMs: webhookLimits.verificationsMs,
    called: ["Verifications", "an hour"],
  },
  test: {
    perAccount: webhookLimits.testsPerAccount,
    perEndpoint: webhookLimits.testsPerEndpoint,
    windowMs: webhookLimits.testsMs,
    called: ["Test deliveries", "an hour"],
  },
  redelivery: {
    perAccount: webhookLimits.redeliveriesPerAccount,
    perEndpoint: webhookLimits.redeliveriesPerEndpoint,
    windowMs: webhookLimits.redeliveriesMs,
    called: ["Redeliveries", "an hour"],
  },
  replay: {
    perAccount: webhookLimits.replaysPerAccount,
    perEndpoint: webhookLimits.replaysPerEndpoint,
    windowMs: webhookLimits.replaysMs,
    called: ["Replays", "an hour"],
  },
  rotation: {
    perAccount: webhookLimits.rotationsPerAccount,
    perEndpoint: webhookLimits.rotationsPerEndpoint,
    windowMs: webhookLimits.rotationsMs,
    called: ["Rotations", "in 48 hours"],
  },
} as const satisfies Record<string, ActionLimit>;

export type LimitedAction = keyof typeof actionLimits;

interface Counted {
  ofAccount: number;
  ofEndpoint: number;
  /** Until the oldest one that counts leaves the window. */
  accountSeconds: number | null;
  endpointSeconds: number | null;
}

/**
 * Counts an action against its limits, or refuses it with 429. In the transaction of the action: requests that come
 * together are counted one after the other, and what fails afterwards was never counted.
 *
 * An action that cannot be counted is not done: 503.
 */
export async function countAction(
  tx: Tx,
  of: { accountId: string; endpointId: string },
  action: LimitedAction,
): Promise<void> {
  const counted = await count(tx, of, action).catch((error: unknown) => {
    observe({ kind: "action-not-counted", action, accountId: of.accountId, error });
    throw unavailable(
      Math.ceil(webhookLimits.actionTurnMsMax / 1_000),
      "The limits of this action cannot be checked just now.",
    );
  });
  const { called, perAccount, perEndpoint, windowMs }: ActionLimit = actionLimits[action];
  const [what, within] = called;
  const exceeded = [
    ...(counted.ofEndpoint < perEndpoint
      ? []
      : [
          {
            detail: `${what} of an endpoint: at most ${perEndpoint} ${within}.`,
            seconds: counted.endpointSeconds,
          },
        ]),
    ...(counted.ofAccount < perAccount
      ? []
      : [
          {
            detail: `${what} of a church: at most ${perAccount} ${within}.`,
            seconds: counted.accountSeconds,
          },
        ]),
  ];
  if (exceeded.length === 0) return;
  const seconds = Math.max(...exceeded.map((each) => each.seconds ?? 0));
  // Who waited for their turn began before those they waited for, and would have to wait longer than the window.
  const wait = Math.min(Math.max(1, seconds), windowMs / 1_000);
  throw new ApiError(
    exceeded.map(({ detail }) => problem("action-limit-exceeded", detail)),
    { "Retry-After": String(wait) },
  );
}

/** How many there were before this one, which is among them now. */
async function count(
  tx: Tx,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  action: LimitedAction,
): Promise<Counted> {
  const window = tx`${actionLimits[action].windowMs} * interval '1 millisecond'`;
  await tx`select set_config('lock_timeout', ${String(webhookLimits.actionTurnMsMax)}, true)`;
  await lockAction(tx, accountId, action);
  // Of what follows nothing is worth giving up for.
  await tx`set local lock_timeout to default`;
  const [counted] = await tx<Counted[]>`
    with old as (
      delete from webhook_actions
      where account_id = ${accountId} and action = ${action} and asked_at <= now() - ${window}
    ), recent as (
      select endpoint_id = ${endpointId} as own,
        ceil(extract(epoch from asked_at + ${window} - now()))::integer as seconds
      from webhook_actions
      where account_id = ${accountId} and action = ${action} and asked_at > now() - ${window}
    ), asked as (
      insert into webhook_actions (account_id, id, endpoint_id, action)
      values (${accountId}, ${newId()}, ${endpointId}, ${action})
    )
    select count(*)::integer as "ofAccount", (count(*) filter (where own))::integer as "ofEndpoint",
      min(seconds) as "accountSeconds", min(seconds) filter (where own) as "endpointSeconds"
    from recent`;
  if (!counted) throw new Error("Counting answers one row.");
  return counted;
}
