import { Webhook } from "standardwebhooks";
import { type Behaviour, ok, type Receiver, startReceiver } from "../support/receiver.ts";

/** The requests of a receiver, by `Webhook-Id`. */
export interface Receipts {
  /** Messages that got a 2xx response, and how often. */
  readonly taken: ReadonlyMap<string, number>;
  /** Requests with a wrong signature. */
  readonly forged: number;
  readonly requests: number;
}

export interface MoodyReceiver {
  readonly url: string;
  receipts(): Receipts;
  /** Accepts every request from now on. */
  calmDown(): void;
  close(): Promise<void>;
}

const status =
  (code: number, headers = ""): Behaviour =>
  (line) =>
    line.write(`HTTP/1.1 ${code} Whatever\r\nContent-Length: 0\r\n${headers}\r\n`);

/** The percentage of each behaviour. The rest succeeds. */
const moods: readonly (readonly [percent: number, Behaviour | undefined])[] = [
  [6, status(500)],
  [2, status(429, "Retry-After: 1\r\n")],
  [3, (line) => line.reset()],
  [1, () => undefined],
  [2, (line) => line.end("HTTP/1.1 200 OK\r\nContent-Le")],
];

/** Verifies each request and then picks a behaviour. */
export async function startMoodyReceiver(secretOf: () => string): Promise<MoodyReceiver> {
  const taken = new Map<string, number>();
  let [forged, requests] = [0, 0];
  let calm = false;
  const receiver: Receiver = await startReceiver({
    verifies: true,
    async behaviour(line, request) {
      requests++;
      try {
        new Webhook(secretOf()).verify(request.body, { ...request.headers });
      } catch {
        forged++;
      }
      const mood = calm ? undefined : moodOf();
      if (mood) return mood(line, request);
      const id = request.headers["webhook-id"] ?? "";
      await ok(line, request);
      taken.set(id, (taken.get(id) ?? 0) + 1);
    },
  });
  return {
    url: receiver.url,
    receipts: () => ({ taken, forged, requests }),
    calmDown: () => {
      calm = true;
    },
    close: () => receiver.close(),
  };
}

function moodOf(): Behaviour | undefined {
  let dice = Math.random() * 100;
  for (const [percent, behaviour] of moods) {
    dice -= percent;
    if (dice < 0) return behaviour;
  }
  return undefined;
}
