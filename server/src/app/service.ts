import { createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";
import { join } from "node:path";
import { type AppOptions, buildApp } from "./app.ts";
import { MINUTE, SECOND } from "../base/clock.ts";
import { type Config, dataDirectoryObstacle, encryptionKeysOf, repositoryRoot } from "./config.ts";
import { CannotStart } from "./cannot-start.ts";
import { type Demo, makeDemoOnce } from "./demo.ts";
import { type Log, standardError, standardOutput, startLog } from "./log.ts";
import { type Metrics, startMetrics } from "./metrics.ts";
import { derivedKey } from "./derived-key.ts";
import { examineKeys, requireKeysFor } from "./encryption-keys.ts";
import { filesOf } from "./files.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { watchOutages } from "./outages.ts";
import { prepareServer } from "./prepare-server.ts";
import { ServerParts, type Stops } from "./server-parts.ts";
import { formatNetwork, type Network } from "../base/networks.ts";
import { observe } from "../base/observe.ts";
import { catalogueOf, queues, scheduledJobs } from "../catalogue.ts";
import type { WholeCatalogue } from "../jsonapi/definition/whole-catalogue.ts";
import { Cipher } from "../store/cipher.ts";
import { DataDirectoryUnusable } from "../store/data-directory.ts";
import type { Db } from "../store/db.ts";
import { DataDirectoryInUse, type EmbeddedServer, startEmbedded } from "../store/embedded.ts";
import { liveOwner } from "../store/embedded/owner.ts";
import { startJobs } from "../jobs/jobs.ts";
import { CustomFieldsCache } from "../features/accounts/custom-fields-cache.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Files } from "../store/files/files.ts";
import { readinessOf } from "../store/readiness.ts";
import { connectServers } from "../store/servers.ts";
import { type Availability, watchServers } from "../store/availability.ts";
import { watchServerCount } from "../store/number-servers.ts";
import { watchDatabase } from "../store/watch.ts";
import { version } from "../base/version.ts";
import { WebApp } from "./pages/web-app.ts";
import {
  createHostJudge,
  createSender,
  differencesOf,
  identityOf,
  judgeAddresses,
  refusedEndpoints,
  type Sender,
  startEngine,
  startListening,
  startNotifying,
  untilReleased,
  type WebhookParts,
} from "../webhooks/index.ts";

/**
 * The service: the order in which its parts start and stop.
 *
 *     checks            data directory and ports, before anything is created
 *     database          embedded, or the one of DATABASE_URL
 *     migrations        breaking ones only if no other node can be running
 *     queues            created if they are missing, so that requests can add jobs
 *     scheduled jobs    role all, worker, in the background
 *     engine            role all, worker
 *     listen            role all, api
 *     demo account      if there is no account. Last, because a later failure would lose its passwords
 *
 * It stops in reverse order. If a step fails, the parts that have started are stopped. A server beside the home that is away
 * gets its migrations, queues, jobs and engine when it is back (`ServerParts`).
 */
export const serviceRoles = ["all", "api", "worker"] as const;
export type ServiceRole = (typeof serviceRoles)[number];

export interface ServiceOptions {
  config: Config;
  role: ServiceRole;
  say: (line: string) => void;
  /** The default is standard output. */
  logTo?: "stdout" | "stderr";
  /** How long one of several servers may take to answer before it counts as away. */
  answerMsMax?: number;
}

export interface Service {
  /** Undefined for a worker. */
  readonly url: string | undefined;
  readonly metricsUrl: string | undefined;
  /** Whether there is a build of the web app. */
  readonly hasWebApp: boolean;
  readonly milliseconds: number;
  /** Set if this start created the demo account in an empty database. */
  readonly demo: Demo | undefined;
  /** Resolves when the service cannot continue. */
  readonly failed: Promise<Error>;
  /** Lets requests finish, within a time limit, and then closes everything. */
  stop(reason: string): Promise<void>;
  /** Shuts down the embedded database and nothing else. */
  stopAtOnce(): Promise<void>;
}

/** The time limit for requests to finish when the service stops. */
const FINISH_MS_MAX = 10 * SECOND;

const POOL_SIZE = 10;
/** Slow requests of one account leave the other connections to the other accounts, also while no other account asks. */
const ACCOUNT_CONNECTIONS_MAX = Math.floor(POOL_SIZE / 3);
const ENGINE_POOL_SIZE = 4;
/** Jobs that wait for a connection or for a lock do not keep requests waiting. */
const JOBS_POOL_SIZE = 3;
/** The first seconds belong to the start and to the first requests. */
const JOBS_DELAY_MS = 10 * SECOND;
const JOBS_STOP_MS_MAX = 5 * SECOND;

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, role, say } = options;
  const stops: Stops = [];
  /** Runs once, even if `stopAll` is called again while it runs. */
  let stopping: Promise<void> | undefined;
  const stopAll = () =>
    (stopping ??= (async () => {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    })());

  try {
    requireDataDirectory(config);
    await requireFreePorts(config, role);
    const log: Log = startLog(
      config.logLevel,
      options.logTo === "stderr" ? standardError() : standardOutput(),
    );
    stops.push(() => log.stop());
    const metrics = startMetrics({
      poolSize: POOL_SIZE,
      servers: Math.max(config.databaseShards.length, 1),
    });
    stops.push(() => metrics.stop());

    const { poolers, server, urls } = await openDatabase(config, say);
    if (server) stops.push(() => server.stop());
    await requireKeysFor(urls, config);
    const isPooled = poolers.length > 0;
    const { answerMsMax } = options;
    const availabilities = watchServers(urls, { answerMsMax, poolers });
    // Jobs and webhooks go on while a pooler is away, because they do not use it.
    const direct =
      isPooled && role !== "api"
        ? watchServers(urls, { answerMsMax, reports: false })
        : availabilities;
    const watched = [...new Set([...availabilities, ...direct])];
    stops.push(() => Promise.all(watched.map((one) => one.end())));
    const db = connectServers(isPooled ? poolers : urls, {
      max: POOL_SIZE,
      accountMax: ACCOUNT_CONNECTIONS_MAX,
      name: `vestry-${role}`,
      pooled: isPooled,
      availabilities,
    });
    stops.push(() => db.end({ timeout: 5 }));
    const webhooks = webhooksOf(config, say);
    const catalogue = catalogueOf(webhooks);
    const files = filesOf(config);
    const copies = new Set<Db>();
    const workers =
      role === "api"
        ? undefined
        : connectWorkers({ availabilities: direct, catalogue, config, files, role, urls }, stops);
    const partsOf = (one: Db, index: number) =>
      new ServerParts({
        server: one.server,
        availability: heldTogether([availabilities[index], direct[index]]),
        say,
        prepare: (signal) => {
          const [url = "", pooler] = [urls[index], poolers[index]];
          return prepareServer({ db, number: one.server, url, pooler }, config, say, signal);
        },
        async start(started) {
          await examineKeys(one, config, say);
          if (workers) {
            started.push(workers.startJobs(index));
            const engineDb = workers.engineDb.servers[index] ?? one;
            await startWorking(config, engineDb, webhooks, copies, say, started);
          }
          await sayRefusedEndpoints(one, webhooks.allowed, say);
        },
      });
    const parts = db.servers.map(partsOf);
    const stopParts = () => Promise.all(parts.map((one) => one.stop()));
    stops.push(stopParts);
    for (const one of parts) await one.prepare();
    stops.push(watchDatabase(db));
    const missing = Promise.withResolvers<Error>();
    stops.push(watchServerCount(db, missing.resolve));

    let ready = true;
    const outages = watchOutages(availabilities);
    stops.push(outages.stop);
    const readinessNote = () =>
      [...(copies.size > 0 ? [COPY_NOTE] : []), ...outages.notes()]
        .map((line) => `${line}\n`)
        .join("");
    const askDatabase = readinessOf(db);
    const metricsUrl = await serveMetrics(
      config,
      metrics,
      async () => {
        if (ready) await askDatabase().catch(lost);
        return ready;
      },
      readinessNote,
      stops,
    );
    const web = role === "worker" ? undefined : WebApp.in(join(repositoryRoot, "web/dist"));
    // After HTTP and before the metrics. Jobs stop last, because a running job can take seconds.
    stops.push(stopParts);
    for (const one of parts) await one.start();
    const url =
      role === "worker"
        ? undefined
        : await serveApi(
            config,
            { catalogue, db, files, metrics, readinessNote, web, webhooks },
            stops,
          );
    const demo = config.demo && role !== "worker" ? await makeDemoOnce(db, files.store) : undefined;

    // Since the process began: loading the code is part of what one waits for.
    const milliseconds = Math.round(performance.now());
    observe({ kind: "service-ready", url: url ?? metricsUrl ?? "", milliseconds });
    return {
      url,
      metricsUrl,
      hasWebApp: web !== undefined,
      milliseconds,
      demo,
      failed: server ? Promise.race([server.exited, missing.promise]) : missing.promise,
      async stop(reason) {
        ready = false;
        observe({ kind: "service-stopping", reason });
        await stopAll();
      },
      async stopAtOnce() {
        await server?.stop();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** Requests and workers watch a server by themselves, and hold it together. */
function heldTogether(given: readonly (Availability | undefined)[]) {
  const all = [...new Set(given)].filter((one) => one !== undefined);
  if (all.length === 0) return undefined;
  return {
    hold(reason: Error) {
      for (const one of all) one.hold(reason);
    },
    release() {
      for (const one of all) one.release();
    },
  };
}

/** Reports the lost database like a request does. */
function lost(error: unknown): never {
  observe({ kind: "database-lost", error });
  throw error;
}

interface WorkerParts {
  availabilities: readonly Availability[];
  catalogue: WholeCatalogue;
  config: Config;
  files: Files;
  role: ServiceRole;
  urls: readonly string[];
}

interface Workers {
  engineDb: Db;
  startJobs(index: number): () => Promise<void>;
}

/** The pools of webhooks and jobs. Slow receivers and jobs do not delay requests. */
function connectWorkers(
  { availabilities, catalogue, config, files, role, urls }: WorkerParts,
  stops: Stops,
): Workers {
  const jobsDb = connectServers(urls, {
    max: JOBS_POOL_SIZE,
    name: `vestry-${role}-jobs`,
    waitMsMax: MINUTE,
    availabilities,
  });
  stops.push(() => jobsDb.end({ timeout: 5 }));
  const engineDb = connectServers(urls, {
    max: ENGINE_POOL_SIZE,
    name: `vestry-${role}-engine`,
    byIndex: true,
    availabilities,
  });
  stops.push(() => engineDb.end({ timeout: 5 }));
  const fields = new CustomFieldsCache();
  const services = {
    catalogue,
    mailer: config.mail && createMailer(config.mail),
    publicUrl: config.publicUrl,
    appUrl: config.appUrl,
    files,
    customFieldsOf: fields.read,
    lockCustomFields: fields.lock,
  };
  const startJobsOf = (index: number) =>
    startJobs({
      databaseUrl: urls[index] ?? "",
      db: jobsDb.servers[index] ?? jobsDb,
      whole: jobsDb,
      jobs: scheduledJobs,
      queues,
      services,
      name: `vestry-${role}-queues`,
      delayMs: JOBS_DELAY_MS,
      stopMsMax: JOBS_STOP_MS_MAX,
    });
  return { engineDb, startJobs: startJobsOf };
}

/** Runs before the check of the ports, so that the error names the shared data directory. */
function requireDataDirectory(config: Config): void {
  const { databaseUrl, dataDir } = config;
  const owner = databaseUrl === undefined ? liveOwner(dataDir) : undefined;
  if (owner) throw new DataDirectoryInUse(dataDir, owner.pid);
  const obstacle = dataDirectoryObstacle(config);
  if (obstacle) throw new DataDirectoryUnusable(obstacle);
}

// -- Ports ---------------------------------------------------------------------------------------------------------

async function requireFreePorts(config: Config, role: ServiceRole): Promise<void> {
  const ports = [
    ...(role === "worker" ? [] : [["PORT", config.port] as const]),
    ...(config.metricsPort === undefined ? [] : [["METRICS_PORT", config.metricsPort] as const]),
  ];
  for (const [setting, port] of ports) {
    const probe = createServer();
    await listening(probe, config.host, port, setting);
    await new Promise((resolve) => probe.close(resolve));
  }
}

function listening(probe: Server, host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    probe.once("error", (error) => reject(inWords(error, setting, host, port)));
    probe.listen({ host, port }, resolve);
  });
}

function inWords(error: unknown, setting: string, host: string, port: number): unknown {
  const other = setting === "PORT" ? "another port" : "another port, or off";
  const reasons: Record<string, string> = {
    EADDRINUSE: `Another program already listens on port ${port} of ${host}. Stop it, or set ${setting} to ${other}.`,
    EACCES: `This user may not listen on port ${port}. Set ${setting} to a port above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Correct HOST.`,
    ENOTFOUND: `The host ${host} does not exist. Correct HOST.`,
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""];
  return reason === undefined ? error : new CannotStart(reason, { cause: error });
}

// -- Database ------------------------------------------------------------------------------------------------------

interface OpenDatabase {
  /** PostgreSQL itself. */
  urls: readonly string[];
  /** The addresses for requests, if they differ. */
  poolers: readonly string[];
  server?: EmbeddedServer;
}

async function openDatabase(config: Config, say: (line: string) => void): Promise<OpenDatabase> {
  const { databaseDirectUrl, databasePoolers, databaseShards, databaseUrl } = config;
  if (databaseShards.length > 0) return { urls: databaseShards, poolers: databasePoolers };
  if (databaseUrl !== undefined)
    return databaseDirectUrl === undefined
      ? { urls: [databaseUrl], poolers: [] }
      : { urls: [databaseDirectUrl], poolers: [databaseUrl] };
  const server = await startEmbedded({ dataDir: config.dataDir, say });
  return { urls: [server.url], poolers: [], server };
}

// -- Webhooks ------------------------------------------------------------------------------------------------------

/** Used both to register endpoints and to send to them. */
interface Webhooks extends WebhookParts {
  readonly allowed: readonly Network[];
  readonly sender: () => Sender;
}

function webhooksOf(config: Config, say: (line: string) => void): Webhooks {
  const {
    webhookAllowNetworks: allowed,
    webhookAuthorities,
    webhookDnsServers: dnsServers,
  } = config;
  if (allowed.length > 0)
    say(`Webhooks may be sent to the private networks ${allowed.map(formatNetwork).join(", ")}.`);
  if (webhookAuthorities !== undefined)
    say("Webhooks trust the certificates of WEBHOOK_CA_FILE in addition to the usual ones.");
  if (dnsServers.length > 0) say(`Webhooks resolve names with ${dnsServers.join(", ")}.`);
  return {
    cipher: new Cipher(encryptionKeysOf(config)),
    allowed,
    judgeHost: createHostJudge({ allowed, dnsServers }),
    sender: () =>
      createSender({
        authorities: webhookAuthorities,
        dnsServers,
        judge: (addresses) => judgeAddresses(addresses, allowed),
      }),
  };
}

/** Warns the operator, because a paused endpoint needs its URL set again and then has a new secret. */
async function sayRefusedEndpoints(
  db: Db,
  allowed: readonly Network[],
  say: (line: string) => void,
): Promise<void> {
  const { paused, atRisk } = await refusedEndpoints(db, allowed);
  if (atRisk.length > 0)
    say(
      `Webhook endpoints at private addresses that WEBHOOK_ALLOW_NETWORKS does not contain: ${atRisk.length}. ` +
        "The next message pauses them. npx vestry doctor names them and shows what to do.",
    );
  if (paused.length > 0)
    say(
      `Webhook endpoints paused because their address was private (security-policy): ${paused.length}. ` +
        "npx vestry doctor names them and shows what to do.",
    );
}

const COPY_NOTE =
  "Webhooks are held, because this database is a copy. To send them, run npx vestry webhooks release.";

/** Starts the engine of one server. `copies` are those whose database is a copy. */
async function startWorking(
  config: Config,
  db: Db,
  { cipher, sender }: Webhooks,
  copies: Set<Db>,
  say: (line: string) => void,
  stops: Stops,
): Promise<void> {
  stops.push(await startListening(db));
  const start = () => {
    const engine = startEngine({ db, cipher, sender: sender(), userAgent: `Vestry/${version}` });
    stops.push(() => engine.stop());
  };

  const identity = await identityOf(db, {
    dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
    url: config.publicUrl === `http://localhost:${config.port}` ? undefined : config.publicUrl,
  });
  const why = (await differencesOf(db, identity)).join(", ");
  if (why === "") {
    start();
    return;
  }
  copies.add(db);
  stops.push(() => copies.delete(db));
  say(`${COPY_NOTE} It differs from the original: ${why}.`);
  observe({ kind: "webhooks-held", why });
  const stopping = new AbortController();
  stops.push(() => stopping.abort());
  const released = async () => {
    await untilReleased(db, identity, stopping.signal);
    copies.delete(db);
    observe({ kind: "webhooks-released" });
    start();
  };
  // It rejects only when the service stops.
  released().catch(() => undefined);
}

// -- HTTP ----------------------------------------------------------------------------------------------------------

interface ApiParts {
  catalogue: WholeCatalogue;
  db: Db;
  files: Files;
  metrics: Metrics;
  readinessNote: () => string;
  web: WebApp | undefined;
  webhooks: Webhooks;
}

async function serveApi(
  config: Config,
  { catalogue, db, files, metrics, readinessNote, web, webhooks }: ApiParts,
  stops: Stops,
): Promise<string> {
  // Stopped after the last request was answered.
  for (const server of db.servers) stops.push(startNotifying(server));
  const options: AppOptions = {
    db,
    origins: config.origins,
    publicUrl: config.publicUrl,
    sendsMail: config.mail !== undefined,
    rateLimits: config.rateLimits,
    visitorLimits: config.visitorLimits,
    trustedProxies: config.trustedProxies,
    throttleKey: keyFor(config, "login throttles"),
    visitorKey: keyFor(config, "visitors"),
    webhooks,
    files,
    web,
    readinessNote,
  };
  const app = buildApp(options, catalogue);
  metrics.watch(app.server);
  stops.push(() => finishRequests(app));
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    throw inWords(error, "PORT", config.host, config.port);
  }
  return config.publicUrl;
}

/** Takes no new requests and lets those finish that have begun, for a while. */
async function finishRequests(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const closed = app.close();
  // Fastify keeps idle connections open for another request.
  const letGo = setInterval(() => server.closeIdleConnections(), 20);
  const tooLate = setTimeout(() => server.closeAllConnections(), FINISH_MS_MAX);
  await closed;
  clearInterval(letGo);
  clearTimeout(tooLate);
}

async function serveMetrics(
  config: Config,
  metrics: Metrics,
  isReady: () => Promise<boolean>,
  readinessNote: () => string,
  stops: Stops,
): Promise<string | undefined> {
  const { host, metricsPort: port } = config;
  if (port === undefined) return undefined;
  try {
    const server = await startMetricsServer({ host, port, metrics, isReady, readinessNote });
    stops.push(() => {
      server.close();
      server.closeAllConnections();
    });
  } catch (error) {
    throw inWords(error, "METRICS_PORT", host, port);
  }
  return `${localUrl(host, port)}/metrics`;
}

/** The address at which this machine reaches the service. */
export function localUrl(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere || host === "127.0.0.1" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function keyFor(config: Config, purpose: string): Uint8Array {
  const [key] = encryptionKeysOf(config);
  if (!key) throw new Error("There is no encryption key.");
  return derivedKey(key, purpose);
}
