import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Server } from "node:http";
import { type Observation, onObservation } from "../base/observe.ts";
import { HOME } from "../store/db.ts";

/** Counts and durations of the observations, for Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** Counts the requests that this server is answering at the moment. */
  watch(server: Server): void;
  stop(): void;
}

/** In seconds, from a cached answer to a statement that reached its time limit. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The metrics of one start: the name, the text for operators, and the labels. */
function metricsIn(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ) => new Histogram({ name, help, buckets, labelNames, registers });

  return {
    requests: histogram(
      "vestry_request_duration_seconds",
      "Requests by route, method and class of status.",
      durations,
      "route",
      "method",
      "status",
    ),
    inFlight: gauge("vestry_requests_in_flight", "Requests that are being answered."),
    aborted: counter(
      "vestry_requests_aborted_total",
      "Requests whose client disconnected before the answer was complete.",
    ),
    failures: counter(
      "vestry_request_failures_total",
      "Requests that failed with an unexpected error. The log contains it.",
    ),
    repeated: counter(
      "vestry_transactions_repeated_total",
      "Transactions that PostgreSQL aborted because of a deadlock or a failure of serialization, and that ran once more.",
    ),
    events: counter("vestry_events_total", "Events that happened, by type.", "type"),
    logins: counter("vestry_logins_total", "Log-ins by outcome.", "outcome"),
    limited: counter(
      "vestry_rate_limited_total",
      "Requests refused by a rate limit, by policy.",
      "policy",
    ),
    fileErrors: counter(
      "vestry_file_storage_errors_total",
      "Requests that failed because files could not be stored or read.",
    ),
    databaseErrors: counter(
      "vestry_database_errors_total",
      "Statements that failed because the database was unreachable.",
    ),
    databaseUp: gauge(
      "vestry_database_up",
      "Whether the last statement reached the database. With several servers, whether the home answers.",
    ),
    poolSize: gauge(
      "vestry_database_pool_size",
      "The maximum number of database connections of this process.",
    ),
    jobRows: counter(
      "vestry_job_rows_total",
      "Rows that scheduled jobs changed, usually expired rows that they deleted.",
      "job",
    ),
    jobFailures: counter(
      "vestry_job_failures_total",
      "Failed runs of jobs. The log has the reason.",
      "job",
    ),
    mailsRefused: counter(
      "vestry_mails_refused_total",
      "Mails that the mail server rejected for good. The log has the reason.",
      "queue",
    ),
    secretsUnreadable: counter(
      "vestry_webhook_secrets_unreadable_total",
      "Signing secrets that this node could not decrypt. The log names the key.",
    ),
    attempts: counter(
      "vestry_webhook_attempts_total",
      "Delivery attempts by kind of delivery and outcome.",
      "kind",
      "outcome",
    ),
    attemptDurations: histogram(
      "vestry_webhook_attempt_duration_seconds",
      "Duration of an attempt, from name resolution to the end of the answer.",
      durations,
    ),
    sendLag: histogram(
      "vestry_webhook_send_lag_seconds",
      "Time from the due time of a delivery to the start of its attempt.",
      [...durations, 60, 300, 3_600],
    ),
    leasesLost: counter(
      "vestry_webhook_leases_lost_total",
      "Leases that expired before their worker settled, counted by the node that noticed. The deliveries are retried.",
    ),
    claimsDropped: counter(
      "vestry_webhook_claims_dropped_total",
      "Claims that a worker of this node dropped without a record, mostly after it was suspended. The log names them.",
    ),
    reconciled: counter(
      "vestry_webhook_reconciled_total",
      "Rows that the reconciler repaired. Any value other than 0 is a bug.",
      "what",
    ),
    engineFailures: counter(
      "vestry_webhook_engine_failures_total",
      "Engine rounds that failed and were retried. The log contains the reason.",
      "what",
    ),
    queueDepth: gauge("vestry_webhook_queue_depth", "Deliveries that are not settled yet."),
    queueReady: gauge(
      "vestry_webhook_queue_ready",
      "Deliveries that are due and wait for a worker.",
    ),
    queueOldest: gauge(
      "vestry_webhook_queue_oldest_due_seconds",
      "Time since the oldest ready delivery was due.",
    ),
    sending: gauge("vestry_webhook_in_flight", "Deliveries that this process is sending."),
    serverUp: gauge(
      "vestry_database_server_up",
      "Whether one of several database servers answers. Its accounts get 503 while it does not.",
      "server",
    ),
    movingAccounts: gauge(
      "vestry_accounts_moving",
      "Accounts of a server that refuse changes because they move to another one.",
      "server",
    ),
    movingOldest: gauge(
      "vestry_accounts_moving_oldest_seconds",
      "For how long the first of these accounts has refused changes.",
      "server",
    ),
  };
}

type Seen<Kind extends Observation["kind"]> = Extract<Observation, { kind: Kind }>;

type Recorders = { [Kind in Observation["kind"]]: (seen: Seen<Kind>) => void };

const nothing = () => undefined;

/** The metrics that each observation changes. */
function recordersOf(metrics: ReturnType<typeof metricsIn>, servers: number): Recorders {
  /** A lost statement does not say which of several servers it was sent to. */
  const databaseIsUp = (up: 0 | 1) => {
    if (servers === 1) metrics.databaseUp.set(up);
  };
  const serverIsUp = (server: number, up: 0 | 1) => {
    metrics.serverUp.set({ server }, up);
    if (server === HOME) metrics.databaseUp.set(up);
  };
  const fail = () => metrics.failures.inc();
  /** Each server has a queue of its own. */
  const queues = new Map<number, Seen<"queue-seen">>();
  const sum = (count: (queue: Seen<"queue-seen">) => number) =>
    [...queues.values()].reduce((total, queue) => total + count(queue), 0);

  return {
    "request-finished": ({ method, milliseconds, route, status }) =>
      metrics.requests.observe(
        { route, method, status: `${Math.floor(status / 100)}xx` },
        milliseconds / 1_000,
      ),
    "request-aborted": () => metrics.aborted.inc(),
    "request-failed": fail,
    "action-not-counted": fail,
    "transaction-repeated": () => metrics.repeated.inc(),
    "event-happened": ({ eventType }) => metrics.events.inc({ type: eventType }),
    "login": ({ outcome }) => metrics.logins.inc({ outcome }),
    "rate-limited": ({ policy }) => metrics.limited.inc({ policy }),
    "file-storage-failed": () => metrics.fileErrors.inc(),
    "database-lost": () => {
      databaseIsUp(0);
      metrics.databaseErrors.inc();
    },
    "database-back": () => databaseIsUp(1),
    "server-lost": ({ server }) => serverIsUp(server, 0),
    "server-back": ({ server }) => serverIsUp(server, 1),
    "moves-seen": ({ accounts, oldestMs, server }) => {
      metrics.movingAccounts.set({ server }, accounts);
      metrics.movingOldest.set({ server }, oldestMs / 1_000);
    },
    "move-ended": nothing,
    "job-finished": ({ job, rows }) => metrics.jobRows.inc({ job }, rows),
    "job-failed": ({ job }) => metrics.jobFailures.inc({ job }),
    "mail-refused": ({ queue }) => metrics.mailsRefused.inc({ queue }),
    "secret-unreadable": () => metrics.secretsUnreadable.inc(),
    "attempt-finished": ({ deliveryKind, lagMs, milliseconds, outcome }) => {
      metrics.attempts.inc({ kind: deliveryKind, outcome });
      metrics.attemptDurations.observe(milliseconds / 1_000);
      metrics.sendLag.observe(lagMs / 1_000);
    },
    "attempt-abandoned": () => metrics.leasesLost.inc(),
    "claim-dropped": () => metrics.claimsDropped.inc(),
    "queue-seen": (seen) => {
      queues.set(seen.server, seen);
      metrics.queueDepth.set(sum(({ depth }) => depth));
      metrics.queueReady.set(sum(({ ready }) => ready));
      metrics.queueOldest.set(Math.max(...queues.values().map((one) => one.oldestMs)) / 1_000);
      metrics.sending.set(sum(({ inFlight }) => inFlight));
    },
    "reconciled": ({ removed, requeued }) => {
      metrics.reconciled.inc({ what: "requeued" }, requeued);
      metrics.reconciled.inc({ what: "removed" }, removed);
    },
    "engine-failed": ({ what }) => metrics.engineFailures.inc({ what }),
    "job-queue-failed": nothing,
    "service-ready": nothing,
    "service-stopping": nothing,
    "webhooks-held": nothing,
    "webhooks-released": nothing,
  };
}

interface MetricsOptions {
  poolSize: number;
  /** The number of database servers. */
  servers?: number;
}

export function startMetrics({ poolSize, servers = 1 }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = metricsIn(registry);
  metrics.databaseUp.set(1);
  metrics.poolSize.set(poolSize);
  for (const what of ["requeued", "removed"]) metrics.reconciled.inc({ what }, 0);
  const recorders = recordersOf(metrics, servers);
  if (servers > 1)
    for (let server = HOME; server <= servers; server += 1) metrics.serverUp.set({ server }, 1);
  const stop = onObservation((seen) => recorders[seen.kind](seen as never));

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    watch(server) {
      server.on("request", (_request, response) => {
        metrics.inFlight.inc();
        // `finish` is not emitted if the client disconnects.
        response.once("close", () => metrics.inFlight.dec());
      });
    },
    stop() {
      stop();
      registry.clear();
    },
  };
}
