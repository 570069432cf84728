import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Server } from "node:http";
import { type Observation, onObservation } from "../base/observe.ts";

/** Counts and durations of the observations, for Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** Counts the requests that this server is answering at the moment. */
  watch(server: Server): void;
  stop(): void;
}

/** From a cached answer to a statement that reached its time limit. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export function startMetrics({ poolSize }: { poolSize: number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: "vestry_request_duration_seconds",
    help: "Requests by route, method and class of status.",
    labelNames: ["route", "method", "status"] as const,
    buckets,
    registers,
  });
  const inFlight = new Gauge({
    name: "vestry_requests_in_flight",
    help: "Requests that are being answered.",
    registers,
  });
  const aborted = new Counter({
    name: "vestry_requests_aborted_total",
    help: "Requests whose client disconnected before the answer was complete.",
    registers,
  });
  const failures = new Counter({
    name: "vestry_request_failures_total",
    help: "Requests that failed with an unexpected error. The log contains it.",
    registers,
  });
  const repeated = new Counter({
    name: "vestry_transactions_repeated_total",
    help: "Transactions that PostgreSQL aborted because of a deadlock or a failure of serialization, and that ran once more.",
    registers,
  });
  const events = new Counter({
    name: "vestry_events_total",
    help: "Events that happened, by type.",
    labelNames: ["type"] as const,
    registers,
  });
  const logins = new Counter({
    name: "vestry_logins_total",
    help: "Log-ins by outcome.",
    labelNames: ["outcome"] as const,
    registers,
  });
  const limited = new Counter({
    name: "vestry_rate_limited_total",
    help: "Requests refused by a rate limit, by policy.",
    labelNames: ["policy"] as const,
    registers,
  });
  const fileErrors = new Counter({
    name: "vestry_file_storage_errors_total",
    help: "Requests that failed because files could not be stored or read.",
    registers,
  });
  const databaseErrors = new Counter({
    name: "vestry_database_errors_total",
    help: "Statements that failed because the database was unreachable.",
    registers,
  });
  const databaseUp = new Gauge({
    name: "vestry_database_up",
    help: "Whether the last statement reached the database.",
    registers,
  });
  databaseUp.set(1);
  new Gauge({
    name: "vestry_database_pool_size",
    help: "The maximum number of database connections of this process.",
    registers,
  }).set(poolSize);
  const jobRows = new Counter({
    name: "vestry_job_rows_total",
    help: "Rows that scheduled jobs changed, usually expired rows that they deleted.",
    labelNames: ["job"] as const,
    registers,
  });
  const jobFailures = new Counter({
    name: "vestry_job_failures_total",
    help: "Failed runs of jobs. The log has the reason.",
    labelNames: ["job"] as const,
    registers,
  });
  const mailsRefused = new Counter({
    name: "vestry_mails_refused_total",
    help: "Mails that the mail server rejected for good. The log has the reason.",
    labelNames: ["queue"] as const,
    registers,
  });
  const secretsUnreadable = new Counter({
    name: "vestry_webhook_secrets_unreadable_total",
    help: "Signing secrets that this node could not decrypt. The log names the key.",
    registers,
  });

  const attempts = new Counter({
    name: "vestry_webhook_attempts_total",
    help: "Delivery attempts by kind of delivery and outcome.",
    labelNames: ["kind", "outcome"] as const,
    registers,
  });
  const attemptDurations = new Histogram({
    name: "vestry_webhook_attempt_duration_seconds",
    help: "Duration of an attempt, from name resolution to the end of the answer.",
    buckets,
    registers,
  });
  const sendLag = new Histogram({
    name: "vestry_webhook_send_lag_seconds",
    help: "Time from the due time of a delivery to the start of its attempt.",
    buckets: [...buckets, 60, 300, 3_600],
    registers,
  });
  const leasesLost = new Counter({
    name: "vestry_webhook_leases_lost_total",
    help: "Leases that expired before their worker settled, counted by the node that noticed. The deliveries are retried.",
    registers,
  });
  const claimsDropped = new Counter({
    name: "vestry_webhook_claims_dropped_total",
    help: "Claims that a worker of this node dropped without a record, mostly after it was suspended. The log names them.",
    registers,
  });
  const reconciled = new Counter({
    name: "vestry_webhook_reconciled_total",
    help: "Rows that the reconciler repaired. Any value other than 0 is a bug.",
    labelNames: ["what"] as const,
    registers,
  });
  for (const what of ["requeued", "removed"]) reconciled.inc({ what }, 0);
  const engineFailures = new Counter({
    name: "vestry_webhook_engine_failures_total",
    help: "Engine rounds that failed and were retried. The log contains the reason.",
    labelNames: ["what"] as const,
    registers,
  });
  const [queueDepth, queueReady, queueOldest, sending] = (
    [
      ["vestry_webhook_queue_depth", "Deliveries that are not settled yet."],
      ["vestry_webhook_queue_ready", "Deliveries that are due and wait for a worker."],
      ["vestry_webhook_queue_oldest_due_seconds", "Time since the oldest ready delivery was due."],
      ["vestry_webhook_in_flight", "Deliveries that this process is sending."],
    ] as const
  ).map(([name, help]) => new Gauge({ name, help, registers }));

  const serverUp = new Gauge({
    name: "vestry_database_server_up",
    help: "Whether one of several database servers answers. Its accounts get 503 while it does not.",
    labelNames: ["server"] as const,
    registers,
  });
  /** Each server has a queue of its own. */
  const queuesSeen = new Map<number, Extract<Observation, { kind: "queue-seen" }>>();
  const seen = () => [...queuesSeen.values()];
  const total = (count: (one: Extract<Observation, { kind: "queue-seen" }>) => number) =>
    seen().reduce((sum, one) => sum + count(one), 0);

  const stop = onObservation((observation) => {
    switch (observation.kind) {
      case "request-finished": {
        const { route, method, status, milliseconds } = observation;
        const labels = { route, method, status: `${Math.floor(status / 100)}xx` };
        return requests.observe(labels, milliseconds / 1_000);
      }
      case "request-aborted":
        return aborted.inc();
      case "request-failed":
      case "action-not-counted":
        return failures.inc();
      case "transaction-repeated":
        return repeated.inc();
      case "event-happened":
        return events.inc({ type: observation.eventType });
      case "login":
        return logins.inc({ outcome: observation.outcome });
      case "rate-limited":
        return limited.inc({ policy: observation.policy });
      case "file-storage-failed":
        return fileErrors.inc();
      case "database-lost":
        databaseUp.set(0);
        return databaseErrors.inc();
      case "database-back":
        return databaseUp.set(1);
      case "server-lost":
        return serverUp.set({ server: observation.server }, 0);
      case "server-back":
        return serverUp.set({ server: observation.server }, 1);
      case "job-finished":
        return jobRows.inc({ job: observation.job }, observation.rows);
      case "job-failed":
        return jobFailures.inc({ job: observation.job });
      case "secret-unreadable":
        return secretsUnreadable.inc();
      case "attempt-finished":
        attempts.inc({ kind: observation.deliveryKind, outcome: observation.outcome });
        attemptDurations.observe(observation.milliseconds / 1_000);
        return sendLag.observe(observation.lagMs / 1_000);
      case "attempt-abandoned":
        return leasesLost.inc();
      case "claim-dropped":
        return claimsDropped.inc();
      case "queue-seen":
        queuesSeen.set(observation.server, observation);
        queueDepth?.set(total(({ depth }) => depth));
        queueReady?.set(total(({ ready }) => ready));
        queueOldest?.set(Math.max(...seen().map(({ oldestMs }) => oldestMs)) / 1_000);
        return sending?.set(total(({ inFlight: sent }) => sent));
      case "reconciled":
        reconciled.inc({ what: "requeued" }, observation.requeued);
        return reconciled.inc({ what: "removed" }, observation.removed);
      case "engine-failed":
        return engineFailures.inc({ what: observation.what });
      case "mail-refused":
        return mailsRefused.inc({ queue: observation.queue });
      case "job-queue-failed":
      case "service-ready":
      case "service-stopping":
      case "webhooks-held":
      case "webhooks-released":
        return undefined;
    }
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    watch(server) {
      server.on("request", (_request, response) => {
        inFlight.inc();
        // `finish` is not emitted if the client disconnects.
        response.once("close", () => inFlight.dec());
      });
    },
    stop() {
      stop();
      registry.clear();
    },
  };
}
