/** A receiver in a process of its own, as little as node:https can be: it takes what comes and answers 204, or nothing. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Certificate } from "../../support/certificates.ts";
import { goodCertificate } from "../../support/receiver.ts";
import { answerBench, Child, type Usage, usage } from "../child.ts";
import { monotonic } from "./stand.ts";

interface Settings {
  readonly certificate: Certificate;
  readonly manner: Manner;
}

/** It counts what comes, notes who each message is about as well, answers challenges as well, or never answers. */
export type Manner = "counts" | "reads" | "answers" | "hangs";

/** The subject of a message, and when it arrived by `monotonic`. */
export type Arrival = readonly [subjectId: string, at: number];

export interface Received {
  readonly requests: number;
  /** The size of all bodies. */
  readonly bytes: number;
  /** When the last of them had come, by `monotonic`. */
  readonly at: number;
}

type Question = { settings: Settings } | { until: number } | "forget" | "arrivals" | "usage";

export class ReceiverChild {
  readonly #child = new Child("./webhooks/receiver.ts");
  #port = 0;

  async start(manner: Manner): Promise<this> {
    const settings: Settings = { manner, certificate: goodCertificate() };
    this.#port = await this.#child.ask<number>({ settings } satisfies Question);
    return this;
  }

  get origin(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Resolves when this many requests have arrived since the last `forget`. */
  received(until: number): Promise<Received> {
    return this.#child.ask<Received>({ until } satisfies Question);
  }

  async forget(): Promise<void> {
    await this.#child.ask("forget" satisfies Question);
  }

  arrivals(): Promise<readonly Arrival[]> {
    return this.#child.ask<readonly Arrival[]>("arrivals" satisfies Question);
  }

  usage(): Promise<Usage> {
    return this.#child.ask<Usage>("usage" satisfies Question);
  }

  get pid(): number {
    return this.#child.pid;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child.stop();
  }
}

if (import.meta.main) {
  let requests = 0;
  let bytes = 0;
  let at = 0;
  let arrivals: Arrival[] = [];
  let came = () => {};

  const read = (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      arrivals.push([message.data.relationships.subject.data.id, at]);
    });
  };

  const answerChallenge = async (request: IncomingMessage, response: ServerResponse) => {
    const message = await text(request);
    const challenge = /"challenge":"([^"]+)"/.exec(message)?.[1];
    if (challenge === undefined) {
      requests += 1;
      came();
      return response.writeHead(204).end();
    }
    return response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ meta: { challenge } }));
  };

  const start = async ({ certificate, manner }: Settings) => {
    const server = createServer(certificate, (request, response) => {
      if (manner === "answers") return void answerChallenge(request, response);
      if (manner === "reads") read(request);
      else request.resume();
      request.prependListener("end", () => {
        requests += 1;
        bytes += Number(request.headers["content-length"]);
        at = monotonic();
        came();
        if (manner !== "hangs") response.writeHead(204).end();
      });
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };

  answerBench<Question>(async (question) => {
    if (question === "arrivals") return arrivals;
    if (question === "usage") return usage();
    if (question === "forget") {
      requests = 0;
      bytes = 0;
      arrivals = [];
      return;
    }
    if ("settings" in question) return start(question.settings);
    while (requests < question.until)
      await new Promise<void>((resolve) => {
        came = resolve;
      });
    return { requests, bytes, at } satisfies Received;
  });
}
