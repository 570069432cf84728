/**
 * The client: a fixed number of connections, each with one request under way at any time. It speaks just enough HTTP
 * for what the two servers answer, so that it leaves the machine to them: about a sixth of what node:http's own client
 * takes.
 */
import { connect, type Socket } from "node:net";

export interface Job {
  port: number;
  connections: number;
  seconds: number;
  /** Whole requests as they go over the wire, sent in turn. `{n}` in one is replaced by a number that grows. */
  requests: readonly string[];
  /** How long the body of each answer must be. */
  lengths: readonly number[];
  /** Requests start at this rate, whatever the answers take. Without it, each connection sends as soon as it can. */
  perSecond?: number | undefined;
  /** Where to begin in the list and in the numbers, so that no two rounds write the same. */
  from: number;
}

export interface Load {
  requests: number;
  seconds: number;
  /** In milliseconds, ascending. */
  latencies: Float64Array;
}

/** Always as wide, so that the length of a request and of its answer does not depend on it. */
export const numbered = (request: string, number: number): string =>
  request.replace("{n}", String(number).padStart(8, "0"));

const HEAD_END = Buffer.from("\r\n\r\n");

async function run(job: Job): Promise<Load> {
  const taken: number[] = [];
  let next = job.from;
  const startedAt = performance.now();
  const endsAt = startedAt + job.seconds * 1_000;

  const talk = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      let expected = 0;
      let left = -1;
      let head: Buffer | undefined;
      const send = () => {
        if (performance.now() >= endsAt) return resolve();
        const at = next % job.requests.length;
        const request = numbered(job.requests[at] as string, next);
        next += 1;
        expected = job.lengths[at] as number;
        left = -1;
        // A request that starts late has waited: its latency counts from its turn.
        const turn = job.perSecond && startedAt + ((next - job.from) * 1_000) / job.perSecond;
        const write = () => socket.write(request, "latin1");
        sentAt = turn ?? performance.now();
        if (sentAt > performance.now()) setTimeout(write, sentAt - performance.now());
        else write();
      };
      socket.on("data", (chunk: Buffer) => {
        let body = chunk;
        if (left < 0) {
          const start = head ? Buffer.concat([head, chunk]) : chunk;
          const end = start.indexOf(HEAD_END);
          if (end < 0) {
            head = start;
            return;
          }
          head = undefined;
          const text = start.toString("latin1", 0, end);
          const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
          if (!/^HTTP\/1\.1 20[01] /.test(text) || length !== expected)
            return reject(
              new Error(`Expected success and ${expected} bytes:\n${start.toString()}`),
            );
          left = length;
          body = start.subarray(end + HEAD_END.length);
        }
        left -= body.length;
        if (left > 0) return;
        if (left < 0 || body.at(-1) !== 0x7d) return reject(new Error("The body is another."));
        taken.push(performance.now() - sentAt);
        send();
      });
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("The server closed the connection.")));
      socket.once("connect", send);
    });

  const sockets = Array.from({ length: job.connections }, () => connect(job.port, "127.0.0.1"));
  try {
    for (const socket of sockets) socket.setNoDelay();
    await Promise.all(sockets.map(talk));
  } finally {
    for (const socket of sockets) socket.removeAllListeners("close").destroy();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { requests: taken.length, seconds, latencies: Float64Array.from(taken).sort() };
}

if (process.send) {
  process.on("message", (job: Job) => {
    run(job).then(
      (load) => process.send?.(load),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => process.exit());
}
