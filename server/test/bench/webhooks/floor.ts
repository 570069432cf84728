/**
 * The floor of sending: bare undici, which signs and posts the same bytes to the same receiver, as many at a time. There
 * is no database, no queue, no judging of addresses, no limit of what an answer may be, and no record of it.
 */
import { createHmac, randomBytes } from "node:crypto";
import { Agent } from "undici";
import { newId } from "../../../src/base/ids.ts";
import { answerBench, Child, type Usage, usage } from "../child.ts";
import { monotonic } from "./stand.ts";

interface Job {
  readonly origin: string;
  readonly authority: string;
  readonly messages: number;
  readonly bytesOfEach: number;
  readonly atATime: number;
}

type Question = { job: Job } | "usage";

export class FloorChild {
  readonly #child = new Child("./webhooks/floor.ts");

  /** Resolves when everything was answered: with the seconds that took. */
  send(job: Job): Promise<number> {
    return this.#child.ask<number>({ job } satisfies Question);
  }

  usage(): Promise<Usage> {
    return this.#child.ask<Usage>("usage" satisfies Question);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child.stop();
  }
}

const secret = randomBytes(32);

/** Posts one message as Standard Webhooks wants it signed. */
export async function post(
  agent: Agent,
  origin: string,
  path: string,
  body: string,
): Promise<void> {
  const id = newId();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", secret)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
  const answer = await agent.request({
    origin,
    path,
    method: "POST",
    headers: {
      "Webhook-Id": id,
      "Webhook-Timestamp": timestamp,
      "Webhook-Signature": `v1,${signature}`,
      "X-Svc-Delivery-Id": id,
      "Content-Type": "application/vnd.api+json",
      "User-Agent": "Vestry/bench",
    },
    body,
  });
  await answer.body.dump();
  if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}.`);
}

async function send({ atATime, authority, bytesOfEach, messages, origin }: Job): Promise<number> {
  const agent = new Agent({ connections: atATime, connect: { ca: authority } });
  const path = `/${newId()}`;
  let left = messages;
  const startedAt = monotonic();
  const one = async () => {
    while (left > 0) {
      left -= 1;
      // Each of its own, as messages are.
      await post(agent, origin, path, newId().padEnd(bytesOfEach, "."));
    }
  };
  await Promise.all(Array.from({ length: atATime }, one));
  const seconds = (monotonic() - startedAt) / 1_000;
  await agent.close();
  return seconds;
}

if (import.meta.main)
  answerBench<Question>(async (question) => (question === "usage" ? usage() : send(question.job)));
