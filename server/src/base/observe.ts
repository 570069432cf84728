/**
 * What an operator may care about, told once, as data. Log and metrics are two readers of the same union; neither is
 * called by whoever something happens to.
 */
export type Observation =
  | { kind: "service-ready"; url: string; milliseconds: number }
  | { kind: "service-stopping"; reason: string }
  | {
      kind: "request-finished";
      requestId: string;
      /** `(none)` where what came was not HTTP. */
      method: string;
      /** The route's pattern, never the path: paths carry ids, and metrics must stay few. */
      route: string;
      status: number;
      /** Since its headers were there; 0 where they never were. */
      milliseconds: number;
      /** Where it came from, to the /24 or /48. */
      client: string;
      accountId?: string;
      personId?: string;
      integrationId?: string;
      codes?: readonly string[];
    }
  /** The client went away before its answer was complete. What it asked for may have been done all the same. */
  | {
      kind: "request-aborted";
      requestId: string;
      method: string;
      route: string;
      milliseconds: number;
      /** Where it came from, to the /24 or /48. */
      client: string;
      accountId?: string;
      personId?: string;
      integrationId?: string;
    }
  | { kind: "request-failed"; requestId: string; route: string; error: unknown }
  | {
      kind: "event-happened";
      accountId: string;
      eventType: string;
      subjectType: string;
      subjectId: string;
    }
  | {
      kind: "login";
      outcome: "succeeded" | "failed" | "throttled";
      accountId?: string;
      personId?: string;
    }
  | { kind: "rate-limited"; policy: string }
  /** The limits of an action could not be checked, and so it was not done. */
  | { kind: "action-not-counted"; action: string; accountId: string; error: unknown }
  | { kind: "database-lost"; error: unknown }
  | { kind: "database-back" }
  | { kind: "sweep-finished"; what: string; rows: number }
  /** What it should have forgotten, or made, is left to the next round. */
  | { kind: "sweep-failed"; what: string; error: unknown }
  /** This node cannot decrypt a signing secret. Without `keyId` nothing says which key it takes. */
  | {
      kind: "secret-unreadable";
      accountId: string;
      endpointId: string;
      keyId: string | undefined;
      error: unknown;
    }
  | {
      kind: "attempt-finished";
      accountId: string;
      endpointId: string;
      deliveryId: string;
      deliveryKind: string;
      attempt: number;
      outcome: AttemptOutcome;
      code: string | undefined;
      /** The delivery's state after it. */
      status: string;
      milliseconds: number;
      /** From when it was due to when it was begun. */
      lagMs: number;
      connection: string | undefined;
      /** For the operator: what a failure was. */
      detail: string | undefined;
    }
  /** Its worker's lease has ended: what became of the request, if there was one, nobody will know. */
  | {
      kind: "attempt-abandoned";
      accountId: string;
      endpointId: string;
      deliveryId: string;
      deliveryKind: string;
      attempt: number;
      /** The delivery's state after it. */
      status: string;
    }
  /** A worker let go of what it held with nothing written: it is not its own any more, or cannot be recorded. */
  | {
      kind: "claim-dropped";
      accountId: string;
      endpointId: string;
      deliveryId: string;
      deliveryKind: string;
      attempt: number;
      /** Absent, as what follows: it was not begun. */
      outcome: AttemptOutcome | undefined;
      code: string | undefined;
      milliseconds: number | undefined;
    }
  | { kind: "queue-seen"; depth: number; ready: number; oldestMs: number; inFlight: number }
  | { kind: "reconciled"; requeued: number; removed: number }
  | { kind: "engine-failed"; what: "claim" | "settle" | "sweep"; error: unknown };

/** In the history's words. */
type AttemptOutcome = "success" | "retryable-failure" | "permanent-failure" | "system-failure";

type Observer = (observation: Observation) => void;

const observers = new Set<Observer>();

export function observe(observation: Observation): void {
  for (const observer of observers) observer(observation);
}

/** Answers the function that ends the observing. */
export function onObservation(observer: Observer): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}
