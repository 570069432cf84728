import pino, { type DestinationStream } from "pino";
import { MINUTE } from "../base/clock.ts";
import type { LogLevel } from "./config.ts";
import { isDatabaseAway } from "../store/away.ts";
import { type Observation, onObservation } from "../base/observe.ts";

/**
 * One reader of what happens: JSON lines, one `request-finished` or `request-aborted` for each request.
 *
 * Each kind of line has a list of the members that it may contain. Errors are reduced to members that cannot quote the
 * request. A header, token, password or body that is added to an object elsewhere therefore never reaches the log.
 * Text is searched for anything that looks like a secret.
 */
export interface Log {
  /** Ends the logging, once everything is written. */
  stop(): void;
}

type Kind = Observation["kind"];
type Of<K extends Kind> = Extract<Observation, { kind: K }>;
type Level = "debug" | "info" | "warn" | "error";

interface Line<K extends Kind> {
  level: Level | ((observation: Of<K>) => Level);
  members: readonly Exclude<keyof Of<K>, "kind">[];
}

const lines: { readonly [K in Kind]: Line<K> } = {
  "service-ready": { level: "info", members: ["url", "milliseconds"] },
  "webhooks-held": { level: "warn", members: ["why"] },
  "webhooks-released": { level: "info", members: [] },
  "service-stopping": { level: "info", members: ["reason"] },
  "request-finished": {
    level: ({ status }) => (status >= 500 ? "warn" : "info"),
    members: [
      "requestId",
      "method",
      "route",
      "status",
      "milliseconds",
      "client",
      "accountId",
      "personId",
      "integrationId",
      "codes",
    ],
  },
  "request-aborted": {
    level: "info",
    members: [
      "requestId",
      "method",
      "route",
      "milliseconds",
      "client",
      "accountId",
      "personId",
      "integrationId",
    ],
  },
  "request-failed": { level: "error", members: ["requestId", "route", "error"] },
  "event-happened": {
    level: "debug",
    members: ["accountId", "eventType", "subjectType", "subjectId"],
  },
  "login": { level: "info", members: ["outcome", "accountId", "personId"] },
  // The request's own line has the code; this one is for the metrics.
  "rate-limited": { level: "debug", members: ["policy"] },
  "action-not-counted": { level: "error", members: ["action", "accountId", "error"] },
  "file-storage-failed": { level: "error", members: ["error"] },
  "database-lost": { level: "error", members: ["error"] },
  "server-lost": { level: "error", members: ["server", "error"] },
  "server-back": { level: "info", members: ["server"] },
  "moves-seen": {
    level: ({ oldestMs }) => (oldestMs > 2 * MINUTE ? "warn" : "debug"),
    members: ["server", "accounts", "oldestMs"],
  },
  "move-ended": { level: "warn", members: ["accountId", "server"] },
  "database-back": { level: "info", members: [] },
  "transaction-repeated": { level: "warn", members: ["accountId", "code"] },
  "job-finished": {
    level: ({ rows }) => (rows > 0 ? "info" : "debug"),
    members: ["job", "rows"],
  },
  "job-failed": { level: "error", members: ["job", "error"] },
  "mail-refused": { level: "warn", members: ["queue", "error"] },
  "job-queue-failed": { level: "error", members: ["error"] },
  "secret-unreadable": { level: "error", members: ["accountId", "endpointId", "keyId", "error"] },
  "attempt-finished": {
    level: ({ outcome }) => (outcome === "system-failure" ? "warn" : "info"),
    members: [
      "accountId",
      "endpointId",
      "deliveryId",
      "deliveryKind",
      "attempt",
      "outcome",
      "code",
      "status",
      "milliseconds",
      "lagMs",
      "connection",
      "detail",
    ],
  },
  "attempt-abandoned": {
    level: "warn",
    members: ["accountId", "endpointId", "deliveryId", "deliveryKind", "attempt", "status"],
  },
  "claim-dropped": {
    level: "warn",
    members: [
      "accountId",
      "endpointId",
      "deliveryId",
      "deliveryKind",
      "attempt",
      "outcome",
      "code",
      "milliseconds",
    ],
  },
  "queue-seen": { level: "debug", members: ["server", "depth", "ready", "oldestMs", "inFlight"] },
  "reconciled": {
    level: ({ removed, requeued }) => (removed + requeued > 0 ? "error" : "debug"),
    members: ["requeued", "removed"],
  },
  "engine-failed": { level: "error", members: ["what", "error"] },
};

export function startLog(level: LogLevel, destination: DestinationStream = standardOutput()): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  let lost = false;
  const stopObserving = onObservation((observation) => {
    // While the database is away every request says so. Once is enough, until it is back.
    if (observation.kind === "database-lost" && lost) return;
    if (observation.kind === "database-lost") lost = true;
    if (observation.kind === "database-back") lost = false;
    const line = lines[observation.kind] as Line<Kind>;
    const at = typeof line.level === "function" ? line.level(observation as never) : line.level;
    if (logger.isLevelEnabled(at)) logger[at](fieldsOf(observation, line.members));
  });
  return {
    stop() {
      stopObserving();
      if ("flushSync" in destination && typeof destination.flushSync === "function")
        destination.flushSync();
    },
  };
}

const BUFFER_BYTES = 4_096;
const FLUSH_MS = 250;

/**
 * Lines are buffered and written asynchronously, because a write for each line costs as much as the request it reports,
 * and a slow reader of the log must not slow down requests. A process that is killed loses the lines of one interval.
 */
function buffered(fd: 1 | 2) {
  const destination = pino.destination({
    dest: fd,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
  });
  process.once("exit", () => destination.flushSync());
  return destination;
}

export const standardOutput = () => buffered(1);
export const standardError = () => buffered(2);

function fieldsOf(observation: Observation, members: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = { kind: observation.kind };
  for (const member of members) {
    const value = (observation as unknown as Record<string, unknown>)[member];
    if (value !== undefined) fields[member] = member === "error" ? errorOf(value) : plain(value);
  }
  return fields;
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return scrub(value);
  if (typeof value === "number") return Math.round(value * 100) / 100;
  if (Array.isArray(value)) return value.map((each) => scrub(String(each)));
  return typeof value === "boolean" ? value : "[withheld]";
}

// -- Errors --------------------------------------------------------------------------------------------------------

const CAUSES_MAX = 3;

/** Returns the frames after the message. A line of the message may look like a frame. */
function framesOf({ message, stack = "" }: Error): string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  const frames = stack.slice(at + message.length).split("\n");
  return frames.filter((line) => /^\s+at /.test(line)).map((frame) => scrub(frame.trim()));
}

/** The message and place of an error. Statements, parameters, rows and requests are left out. */
function errorOf(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: "[withheld]" };
  const { code, constraint, table } = error as unknown as Record<string, unknown>;
  const named = { code, constraint, table };
  return {
    name: scrub(error.name),
    message: quotesItsInput(error) ? "[withheld]" : firstLine(error.message),
    ...Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, scrub(value)]] : [],
      ),
    ),
    // An unreachable or slow database is no fault of the code, so a place in the code says nothing.
    ...(!isDatabaseAway(error) && {
      stack: framesOf(error),
      ...(error.cause !== undefined &&
        depth < CAUSES_MAX && { cause: errorOf(error.cause, depth + 1) }),
    }),
  };
}

/** JSON that does not parse, and PostgreSQL's class 22, say what they could not read. Assertions show what they met. */
function quotesItsInput(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return (
    error instanceof SyntaxError ||
    code === "ERR_ASSERTION" ||
    (typeof code === "string" && /^22\w{3}$/.test(code))
  );
}

const MESSAGE_CHARACTERS_MAX = 300;

const firstLine = (message: string): string =>
  scrub(message.split("\n", 1)[0] ?? "").slice(0, MESSAGE_CHARACTERS_MAX);

/** Everything of ours that must stay secret has a shape. Beside it the common ways in which others write a secret. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(?:vat|vbt|vct|vpt|whsec)_[\w+/=-]{8,}/g, "[secret]"],
  [/\$argon2\w*\$\S+/g, "[secret]"],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, "$1 [secret]"],
  [/(\/\/[^\s/:@]*):[^\s@]*@/g, "$1:[secret]@"],
  [
    /(["']?\b(?:pass(?:word|wd|phrase)?|secret|token|authorization|x-svc-api-token|api[-_]?key)["']?\s*[:=]\s*)("[^"]*"?|'[^']*'?|\S+)/gi,
    "$1[secret]",
  ],
];

export function scrub(text: string): string {
  let scrubbed = text;
  for (const [shape, replacement] of secrets) scrubbed = scrubbed.replace(shape, replacement);
  return scrubbed;
}
