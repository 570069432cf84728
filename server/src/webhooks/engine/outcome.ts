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
import { retryAfterMs } from "./retry-after.ts";

/** What became of one request, as the sender saw it. */
export type Happened =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** As received; several joined by a comma. */
      readonly retryAfter?: string | undefined;
      /** Complete and within the limit. */
      readonly body: Uint8Array;
    }
  | { readonly kind: "failed"; readonly code: Failure };

/** What it means for the delivery: theirs or ours, and whether it may pass. */
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

/** What the history calls them. */
export const attemptOutcomes = {
  delivered: "success",
  retryable: "retryable-failure",
  permanent: "permanent-failure",
  refused: "permanent-failure",
  system: "system-failure",
} as const satisfies Record<Outcome["kind"], string>;

export const codeOf = (outcome: Outcome): AttemptCode | undefined =>
  outcome.kind === "delivered" ? undefined : outcome.code;

/** `challenge` is what a verification expects back, and undefined for every other kind. */
export function outcomeOf(
  happened: Happened,
  challenge: string | undefined,
  now: number,
): Outcome {
  if (happened.kind === "failed") return failed(happened.code);
  const { status, retryAfter, body } = happened;
  if (status >= 200 && status <= 299)
    return challenge === undefined ? { kind: "delivered" } : challenged(body, challenge);
  const code: HttpCode = `http-${status}`;
  return mayPass(status)
    ? { kind: "retryable", code, retryAfterMs: retryAfterMs(retryAfter, now) }
    : { kind: "permanent", code };
}

const mayPass = (status: number) =>
  status === 408 || status === 429 || (status >= 500 && status <= 599);

function failed(code: Failure): Outcome {
  // One object of one kind; the compiler sees a union of codes beside a union of kinds.
  return { kind: failures[code].kind, code } as Outcome;
}

function challenged(body: Uint8Array, challenge: string): Outcome {
  const answered = challengeIn(body);
  if (answered === challenge) return { kind: "delivered" };
  const code = answered === undefined ? "challenge-missing" : "challenge-mismatch";
  return { kind: "permanent", code };
}

/** Whatever stands in its place; undefined when nothing does. */
function challengeIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body))?.meta?.challenge ?? undefined;
  } catch {
    return undefined;
  }
}

// It forgives the byte order mark that some servers put in front of everything, and nothing else.
const utf8 = new TextDecoder("utf-8", { fatal: true });
