import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip as gzipWithCallback } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isNotModified } from "../../jsonapi/request/etag.ts";

/** The files of the pages that the service serves itself. They are read on the first request, because most nodes never show a page. */

export const HTML = "text/html; charset=utf-8";
export const CSS = "text/css; charset=utf-8";
export const JAVASCRIPT = "text/javascript; charset=utf-8";

export const REVALIDATED = { "Cache-Control": "no-cache" };
/** For files whose names contain a hash, so that browsers cache them for ever and see an upgrade at once. */
export const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };

export interface Asset {
  type: string;
  hash: string;
  bytes: Buffer;
  gzipped: Buffer;
}

const gzip = promisify(gzipWithCallback);

/** Made at the first request and kept. */
export function asset(type: string, read: () => string | Promise<string>): () => Promise<Asset> {
  let made: Promise<Asset> | undefined;
  const make = async (): Promise<Asset> => {
    const bytes = Buffer.from(await read());
    const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
    return { type, hash, bytes, gzipped: await gzip(bytes) };
  };
  return () => (made ??= make());
}

function send(request: FastifyRequest, reply: FastifyReply, { type, hash, bytes, gzipped }: Asset) {
  const etag = `"${hash}"`;
  reply.headers({ "ETag": etag, "Vary": "Origin, Accept-Encoding" });
  if (isNotModified(request.headers["if-none-match"], etag)) return reply.code(304).send();
  reply.type(type);
  const zipped = /\bgzip\b/.test(request.headers["accept-encoding"]?.toString() ?? "");
  return zipped ? reply.header("Content-Encoding", "gzip").send(gzipped) : reply.send(bytes);
}

export const serveFile = (
  app: FastifyInstance,
  url: string,
  found: () => Promise<Asset>,
  headers: Record<string, string>,
) => app.get(url, async (request, reply) => send(request, reply.headers(headers), await found()));
