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
      method: string;
      /** The route's pattern, never the path: paths carry ids, and metrics must stay few. */
      route: string;
      status: number;
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
  | { kind: "database-lost"; error: unknown }
  | { kind: "database-back" }
  | { kind: "sweep-finished"; what: string; rows: number };

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
