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

/** A message that came, and how it is answered. */
export interface Received {
  readonly at: number;
  readonly webhookId: string;
  readonly judgement: Judgement;
  readonly message: Message | undefined;
  readonly answer: Answer;
}

/** How a message's exchange ended. */
export interface Ending {
  /** The service hung up before it was answered. */
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

/** The snapshot at its largest, and room for the rest. */
const BODY_BYTES_MAX = 2 * webhookLimits.snapshotBytesMax;

/** Listens on loopback alone: what it is told is for the person at this machine. Resolves with how to stop it. */
export async function startReceiver(options: ReceiverOptions): Promise<() => Promise<void>> {
  // What is still open when it stops, it has hung up on itself.
  const onEnding: ReceiverOptions["onEnding"] = (received, ending) => {
    if (server.listening) options.onEnding(received, ending);
  };
  const server = createServer(options.certificate, (request, response) => {
    receive(request, response, { ...options, onEnding }).catch((error: unknown) => {
      // A request that breaks off is nobody's message.
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

/** undefined when it is larger than any message. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Not destroyed when left: it is still to be answered.
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

/** Whether the other end had gone by then. */
async function send(response: ServerResponse, { status, body, delayMs }: Answer): Promise<boolean> {
  const over = new AbortController();
  const closed = once(response, "close").finally(() => over.abort());
  // Ended with the connection: nobody waits for it then, and a timer keeps the process alive.
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
