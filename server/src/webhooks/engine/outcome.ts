import {
  type AttemptCode,
  type Failure,
  failures,
  type HttpCode,
  type PermanentCode,
  type RefusedCode,
  type RetryableCode,
  type SystemCode,
} from "./attempt-codes.ts";
import type { ReceiverResponse, Failure as FailedSend } from "../http/send.ts";
import { retryAfterMs } from "./retry-after.ts";

/** The part of a result that the outcome depends on. */
export type SendResult =
  | Pick<ReceiverResponse, "kind" | "status" | "retryAfter" | "bodyBytes">
  | (Pick<FailedSend, "kind" | "status" | "retryAfter"> & { readonly reason: Failure });

/** The meaning of a result for the delivery. */
export type Outcome =
  | { readonly kind: "delivered" }
  | {
      readonly kind: "retryable";
      readonly code: RetryableCode;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: "permanent"; readonly code: PermanentCode }
  | { readonly kind: "refused"; readonly code: RefusedCode }
  | { readonly kind: "system"; readonly code: SystemCode };

/** The names of outcomes in history. */
export const attemptOutcomes = {
  delivered: "success",
  retryable: "retryable-failure",
  permanent: "permanent-failure",
  refused: "permanent-failure",
  system: "system-failure",
} as const satisfies Record<Outcome["kind"], string>;

export const codeOf = (outcome: Outcome): AttemptCode | undefined =>
  outcome.kind === "delivered" ? undefined : outcome.code;

/** `challenge` is undefined except for verifications. */
export function outcomeOf(
  happened: SendResult,
  challenge: string | undefined,
  now: number,
): Outcome {
  if (happened.kind === "failed") {
    const { reason, status } = happened;
    const isErrorPage = failures[reason].kind === "permanent" && status !== undefined;
    // An oversized error page of a proxy must not end a delivery that would otherwise be retried.
    return isErrorPage && mayPass(status)
      ? byStatus(status, waitAsked(happened, now))
      : failed(reason, waitAsked(happened, now));
  }
  const { status, bodyBytes } = happened;
  if (!isSuccess(status)) return byStatus(status, waitAsked(happened, now));
  return challenge === undefined ? { kind: "delivered" } : challenged(bodyBytes, challenge);
}

function byStatus(status: number, wait: number | undefined): Outcome {
  const code: HttpCode = `http-${status}`;
  return mayPass(status)
    ? { kind: "retryable", code, retryAfterMs: wait }
    : { kind: "permanent", code };
}

const isSuccess = (status: number) => status >= 200 && status <= 299;

const mayPass = (status: number) =>
  status === 408 || status === 429 || (status >= 500 && status <= 599);

function waitAsked({ status, retryAfter }: SendResult, now: number): number | undefined {
  return status !== undefined && mayPass(status) ? retryAfterMs(retryAfter, now) : undefined;
}

function failed(code: Failure, wait: number | undefined): Outcome {
  const { kind } = failures[code];
  // The compiler cannot correlate the union of codes with the union of kinds.
  return (kind === "retryable" ? { kind, code, retryAfterMs: wait } : { kind, code }) as Outcome;
}

function challenged(body: Uint8Array | undefined, challenge: string): Outcome {
  const answered = challengeIn(body);
  if (answered === challenge) return { kind: "delivered" };
  const code = answered === undefined ? "challenge-missing" : "challenge-mismatch";
  return { kind: "permanent", code };
}

/** Returns the value of the challenge, which may have any type. */
function challengeIn(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(utf8.decode(body))?.meta?.challenge ?? undefined;
  } catch {
    return undefined;
  }
}

// Ignores a byte order mark, which some servers add.
const utf8 = new TextDecoder("utf-8", { fatal: true });
