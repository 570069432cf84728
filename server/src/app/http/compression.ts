import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  type BrotliOptions,
  constants,
  gzip,
  gzipSync,
} from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Encoding, encodingFor } from "./encoding.ts";
import { cacheControl } from "./security-headers.ts";

const BYTES_MIN = 1_024;
/** Longer bodies are compressed by another thread. For shorter ones, the way there takes longer than the work. */
const BYTES_MAX_IN_PLACE = 65_536;

const brotli = (size: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 4,
    // The default window of 4 MiB is larger than any document.
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  },
});

const later = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Compresses the documents of the interface, and the pages of accounts. Responses that must not be stored contain tokens, secrets or errors and stay as
 * they are, because the length of a compressed secret can reveal it. The session contains no secret.
 */
export function compressDocuments(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const body = documentIn(request, reply, payload);
    if (body === undefined) return done(null, payload);
    reply.header("Vary", `${reply.getHeader("Vary")?.toString() ?? "Origin"}, Accept-Encoding`);
    const encoding = encodingFor(request.headers["accept-encoding"]);
    if (encoding === undefined) return done(null, payload);
    reply.header("Content-Encoding", encoding).removeHeader("Content-Length");
    if (body.length <= BYTES_MAX_IN_PLACE) return done(null, compressed(body, encoding));
    const work = encoding === "br" ? later.br(body, brotli(body.length)) : later.gzip(body);
    work.then((bytes) => done(null, bytes), done);
  });
}

const compressed = (body: Buffer, encoding: Encoding): Buffer =>
  encoding === "br" ? brotliCompressSync(body, brotli(body.length)) : gzipSync(body);

function documentIn(
  { routeOptions: { url = "" } }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Buffer | undefined {
  if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return undefined;
  if (payload.length < BYTES_MIN) return undefined;
  const isStored = reply.getHeader("Cache-Control") !== cacheControl.never;
  const type = reply.getHeader("Content-Type")?.toString() ?? "";
  const isDocument =
    ((url.startsWith("/v1/") && isStored) || url === "/session") && type.includes("json");
  const isPage = url.startsWith("/c/:alias") && isStored;
  if (!(isDocument || isPage) || reply.hasHeader("Content-Encoding")) return undefined;
  return Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
}
