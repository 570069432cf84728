import { observe } from "../../base/observe.ts";
import type { Claimed } from "./claim.ts";
import { attemptOutcomes, codeOf } from "./outcome.ts";
import type { Settled } from "./settle.ts";
import type { ClaimResult } from "./work.ts";

/**
 * Reports attempts to the log and the metrics. Each attempt is reported once, when history records it. `sweep.ts`
 * reports attempts of lost workers.
 */

type Held = Pick<Claimed, "accountId" | "endpointId" | "deliveryId" | "kind" | "attemptsMade">;

export const attemptOf = ({ accountId, attemptsMade, deliveryId, endpointId, kind }: Held) => ({
  accountId,
  endpointId,
  deliveryId,
  deliveryKind: kind,
  attempt: attemptsMade + 1,
});

export function reportSettled({ lost, settled }: Settled): void {
  reportDropped(lost);
  for (const { verdict, result } of settled) {
    const { attempt, claimed } = result;
    if (!attempt) continue;
    const { outcome, sent } = attempt;
    observe({
      kind: "attempt-finished",
      ...attemptOf(claimed),
      outcome: attemptOutcomes[outcome.kind],
      code: codeOf(outcome),
      status: verdict.state,
      milliseconds: attempt.durationMs,
      lagMs: Math.max(0, attempt.startedAt - claimed.dueAt),
      connection: sent?.connection,
      detail: sent?.kind === "failed" ? sent.detail : undefined,
    });
  }
}

/** Reports claims that ended without a recorded result. A claim that never started has no attempt. */
export function reportDropped(dropped: readonly Pick<ClaimResult, "attempt" | "claimed">[]): void {
  for (const { attempt, claimed } of dropped)
    observe({
      kind: "claim-dropped",
      ...attemptOf(claimed),
      outcome: attempt && attemptOutcomes[attempt.outcome.kind],
      code: attempt && codeOf(attempt.outcome),
      milliseconds: attempt?.durationMs,
    });
}
