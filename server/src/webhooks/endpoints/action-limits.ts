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
  called: readonly [name: string, period: string];
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
  /** The seconds until the oldest counted action leaves the window. */
  accountSeconds: number | null;
  endpointSeconds: number | null;
}

/** How many more actions of this kind are possible now. */
export interface RemainingActions {
  endpoint: number;
  account: number;
}

/**
 * Counts an action against its limits and throws 429 above them. Returns how many remain. It runs in the transaction of the action, so a failed
 * action is not counted. If counting fails, the action fails with 503.
 */
export async function countAction(
  tx: Tx,
  resource: { accountId: string; endpointId: string },
  action: LimitedAction,
): Promise<RemainingActions> {
  const counted = await count(tx, resource, action).catch((error: unknown) => {
    observe({ kind: "action-not-counted", action, accountId: resource.accountId, error });
    throw unavailable(
      Math.ceil(webhookLimits.actionTurnMsMax / 1_000),
      "The limits of this action cannot be checked now. Retry later.",
    );
  });
  const { called, perAccount, perEndpoint, windowMs }: ActionLimit = actionLimits[action];
  const [name, period] = called;
  const exceeded = [
    ...(counted.ofEndpoint < perEndpoint
      ? []
      : [
          {
            detail: `${name} of an endpoint: at most ${perEndpoint} ${period}.`,
            seconds: counted.endpointSeconds,
          },
        ]),
    ...(counted.ofAccount < perAccount
      ? []
      : [
          {
            detail: `${name} of an account: at most ${perAccount} ${period}.`,
            seconds: counted.accountSeconds,
          },
        ]),
  ];
  if (exceeded.length === 0)
    return {
      endpoint: perEndpoint - counted.ofEndpoint - 1,
      account: perAccount - counted.ofAccount - 1,
    };
  const seconds = Math.max(...exceeded.map((each) => each.seconds ?? 0));
  // This transaction may be older than actions it waited for, so the computed wait can exceed the window.
  const wait = Math.min(Math.max(1, seconds), windowMs / 1_000);
  throw new ApiError(
    exceeded.map(({ detail }) => problem("action-limit-exceeded", detail)),
    { "Retry-After": String(wait) },
  );
}

/** Inserts this action and counts the ones before it. */
async function count(
  tx: Tx,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  action: LimitedAction,
): Promise<Counted> {
  const window = tx`${actionLimits[action].windowMs} * interval '1 millisecond'`;
  await tx`select set_config('lock_timeout', ${String(webhookLimits.actionTurnMsMax)}, true)`;
  await lockAction(tx, accountId, action);
  // Only the lock has a time limit.
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
  if (!counted) throw new Error("The count returned no row.");
  return counted;
}
