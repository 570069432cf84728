import { observe } from "../../base/observe.ts";
import type { Claimed } from "./claim.ts";
import { attemptOutcomes, codeOf } from "./outcome.ts";
import type { Settled } from "./settle.ts";
import type { ClaimResult } from "./work.ts";

/**
 * What the log and the metrics hear of attempts: each that history has once, when it is written there, and besides what
 * a worker could not write. A lost lease is told by whoever ends it and by nobody else: its worker may never come back.
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

/** What was not begun has no attempt, and its receiver got nothing. */
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
