import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { now } from "../../base/clock.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { type Answer, answerTo, type Conduct } from "./answer.ts";
import type { Certificate } from "./certificates.ts";
import type { Judgement, KnownSecrets } from "./known-secrets.ts";
import { type Message, readMessage } from "./message.ts";

/** A request and its answer. */
export interface Received {
  readonly at: number;
  readonly webhookId: string;
  readonly judgement: Judgement;
  readonly message: Message | undefined;
  readonly answer: Answer;
}

/** The end of an exchange. */
export interface Ending {
  /** The service closed the connection before the answer was sent. */
  readonly hungUp: boolean;
  readonly ms: number;
}

export interface ReceiverOptions {
  readonly certificate: Certificate;
  readonly port: number;
  readonly secrets: KnownSecrets;
  readonly conduct: Conduct;
  readonly onMessage: (received: Received) => void;
  readonly onEnding: (received: Received, ending: Ending) => void;
}

/** Room for the largest snapshot and the rest of the message. */
const BODY_BYTES_MAX = 2 * webhookLimits.snapshotBytesMax;

/** Listens on loopback only, because messages contain personal data. Resolves with a function that stops it. */
export async function startReceiver(options: ReceiverOptions): Promise<() => Promise<void>> {
  // A connection that is open at the stop was closed by this server, not by the service.
  const onEnding: ReceiverOptions["onEnding"] = (received, ending) => {
    if (server.listening) options.onEnding(received, ending);
  };
  const server = createServer(options.certificate, (request, response) => {
    receive(request, response, { ...options, onEnding }).catch((error: unknown) => {
      // An aborted request is ignored.
      if (request.complete) throw error;
      response.destroy();
    });
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets, conduct, onMessage, onEnding }: ReceiverOptions,
): Promise<void> {
  const startedAt = performance.now();
  if (request.method !== "POST") return end(response.setHeader("Allow", "POST"), 405);
  const body = await bodyOf(request);
  if (!body) return end(response.setHeader("Connection", "close"), 413);

  const headers = signatureHeaders(request);
  const judgement = secrets.judge(body, headers);
  const message = readMessage(body);
  const received: Received = {
    at: now(),
    webhookId: headers["webhook-id"],
    judgement,
    message,
    answer: answerTo(message, judgement, conduct),
  };
  onMessage(received);
  const hungUp = await send(response, received.answer);
  onEnding(received, { hungUp, ms: Math.round(performance.now() - startedAt) });
}

/** Returns undefined for a body that is larger than any message. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request stays open, because it still needs an answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function signatureHeaders({ headers }: IncomingMessage) {
  const text = (name: string) => String(headers[name] ?? "");
  return {
    "webhook-id": text("webhook-id"),
    "webhook-timestamp": text("webhook-timestamp"),
    "webhook-signature": text("webhook-signature"),
  };
}

/** Returns true if the client closed the connection before the answer was sent. */
async function send(response: ServerResponse, { status, body, delayMs }: Answer): Promise<boolean> {
  const over = new AbortController();
  const closed = once(response, "close").finally(() => over.abort());
  // The wait ends with the connection, because a timer keeps the process alive.
  if (delayMs > 0) await wait(delayMs, undefined, { signal: over.signal }).catch(() => {});
  if (response.destroyed) return true;
  if (body !== "") response.setHeader("Content-Type", "application/json");
  end(response, status, body);
  await closed;
  return !response.writableFinished;
}

function end(response: ServerResponse, status: number, body = ""): void {
  response.statusCode = status;
  response.end(body);
}
