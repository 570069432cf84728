import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { limits } from "../../base/limits.ts";

/**
 * A response to a request whose body is still arriving. The connection closes after the response, and closing it while
 * the client sends would reset it and lose the response. So the response ends when the client has stopped sending,
 * within limits.
 */
export const lingering = (body: string, request: IncomingMessage): Readable =>
  Readable.from(
    (async function* () {
      yield body;
      await discarded(request);
    })(),
    { objectMode: false },
  );

const ends = new WeakMap<IncomingMessage, () => void>();

/** Ends the response now. Returns whether one was waiting for this request. */
export function endLingering(request: IncomingMessage): boolean {
  ends.get(request)?.();
  return ends.has(request);
}

async function discarded(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  ends.set(request, resolve);
  const timer = setTimeout(resolve, limits.lingerMsMax);
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.lingerBytesMax) resolve();
  });
  for (const event of ["end", "error", "close"]) request.once(event, resolve);
  request.resume();
  await promise;
  clearTimeout(timer);
}
