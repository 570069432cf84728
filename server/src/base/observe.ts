/**
 * Everything that operators observe, as data. The log and the metrics both subscribe to these observations, so that the
 * observed code calls neither.
 */
export type Observation =
  | { kind: "service-ready"; url: string; milliseconds: number }
  | { kind: "service-stopping"; reason: string }
  | {
      kind: "request-finished";
      requestId: string;
      /** `(none)` if the input was not HTTP. */
      method: string;
      /** The pattern of the route, never the path. Paths contain ids, which would make too many metrics. */
      route: string;
      status: number;
      /** Counted from the arrival of the headers. 0 if they never arrived. */
      milliseconds: number;
      /** Where it came from, to the /24 or /48. */
      client: string;
      accountId?: string;
      personId?: string;
      integrationId?: string;
      codes?: readonly string[];
    }
  /** The client disconnected before its answer was complete. The request may have taken effect. */
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
  /** The limits of an action could not be checked, so the action was rejected. */
  | { kind: "action-not-counted"; action: string; accountId: string; error: unknown }
  /** Files cannot be stored or read. */
  | { kind: "file-storage-failed"; error: unknown }
  | { kind: "database-lost"; error: unknown }
  /** One of several servers. Only its accounts are affected. */
  | { kind: "server-lost"; server: number; error: unknown }
  | { kind: "server-back"; server: number }
  /** Accounts of a server that refuse changes because they move, and for how long the first of them has done so. */
  | { kind: "moves-seen"; server: number; accounts: number; oldestMs: number }
  /** A command that moved an account was killed. A job has ended the move: the account now lives on this server. */
  | { kind: "move-ended"; accountId: string; server: number }
  /** PostgreSQL aborted a transaction in favour of another one. It runs once more. `code` is the SQLSTATE. */
  | { kind: "transaction-repeated"; accountId: string; code: string }
  | { kind: "database-back" }
  | { kind: "job-finished"; job: string; rows: number }
  /** The job is retried, and runs again when its schedule says so. */
  | { kind: "job-failed"; job: string; error: unknown }
  /** The mail server rejected a mail for good. The mail is not sent again. */
  | { kind: "mail-refused"; queue: string; error: unknown }
  /** The queues of jobs could not be read or written. This node tries again. */
  | { kind: "job-queue-failed"; error: unknown }
  /** This node cannot decrypt a signing secret. `keyId` is absent if the ciphertext does not name a key. */
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
      /** The time from the due time to the start. */
      lagMs: number;
      connection: string | undefined;
      /** Details of a failure, for the operator. */
      detail: string | undefined;
    }
  /** The worker's lease expired. The outcome of the request, if one was sent, is unknown. */
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
  /** A worker dropped a claim without a record, because the lease was lost or the record could not be written. */
  | {
      kind: "claim-dropped";
      accountId: string;
      endpointId: string;
      deliveryId: string;
      deliveryKind: string;
      attempt: number;
      /** This and the following members are absent if the attempt was not started. */
      outcome: AttemptOutcome | undefined;
      code: string | undefined;
      milliseconds: number | undefined;
    }
  /** This node found a copied database and sends nothing. `why` lists the differences. */
  | { kind: "webhooks-held"; why: string }
  | { kind: "webhooks-released" }
  | {
      kind: "queue-seen";
      server: number;
      depth: number;
      ready: number;
      oldestMs: number;
      inFlight: number;
    }
  | { kind: "reconciled"; requeued: number; removed: number }
  | { kind: "engine-failed"; what: "claim" | "settle" | "sweep"; error: unknown };

/** The terms of the delivery history. */
type AttemptOutcome = "success" | "retryable-failure" | "permanent-failure" | "system-failure";

type Observer = (observation: Observation) => void;

const observers = new Set<Observer>();

export function observe(observation: Observation): void {
  for (const observer of observers) observer(observation);
}

/** Returns a function that removes the observer. */
export function onObservation(observer: Observer): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}
