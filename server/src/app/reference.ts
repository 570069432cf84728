import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip as gzipWithCallback } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Catalogue } from "../jsonapi/definition/resource.ts";
import { isNotModified } from "../jsonapi/request/etag.ts";
import { ERRORS_PATH, errorsHtml } from "../contract/error-pages.ts";
import { serviceDocument } from "../contract/service-document.ts";

/**
 * Serves `/openapi.json` for programs and `/docs` for people. `/docs` is Scalar's reference, in which readers log in and
 * send requests. This service serves all of its files. The content security policy blocks every other host, so the
 * page works without a network and third parties do not learn of its readers.
 *
 * Files are read on the first request, because most nodes never show the page.
 */
export function registerReference(app: FastifyInstance, catalogue: Catalogue): void {
  const openApi = asset("application/json", () => JSON.stringify(serviceDocument(catalogue)));
  const bundle = asset(JAVASCRIPT, () => readFile(BUNDLE, "utf8"));
  const script = asset(JAVASCRIPT, () => own("page.js"));
  const style = asset("text/css; charset=utf-8", () => own("page.css"));
  // The names of loaded files contain a hash, so that browsers cache them for ever and see an upgrade at once.
  const page = asset("text/html; charset=utf-8", async () =>
    (await own("page.html"))
      .replace("{{bundle}}", (await bundle()).hash)
      .replace("{{script}}", (await script()).hash)
      .replace("{{style}}", (await style()).hash),
  );

  const serve = (url: string, found: () => Promise<Asset>, headers: Record<string, string>) =>
    app.get(url, async (request, reply) => send(request, reply.headers(headers), await found()));
  const errors = asset("text/html; charset=utf-8", errorsHtml);
  serve("/openapi.json", openApi, REVALIDATED);
  serve(ERRORS_PATH, errors, { ...REVALIDATED, "Content-Security-Policy": ERRORS_POLICY });
  serve("/docs", page, { ...REVALIDATED, "Content-Security-Policy": PAGE_POLICY });
  // The service prints its root address at the start, and people open it.
  for (const url of ["/", "/docs/"])
    app.get(url, async (_request, reply) => reply.redirect("/docs"));
  serve("/docs/page.js", script, IMMUTABLE);
  serve("/docs/page.css", style, IMMUTABLE);
  serve("/docs/scalar.js", bundle, IMMUTABLE);
}

const REVALIDATED = { "Cache-Control": "no-cache" };
const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };

/** Styles are open because the bundle sets them on its elements; a style can fetch nothing from elsewhere either. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const ERRORS_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** Only this file of the package is used: its plugin would serve a page that a strict policy refuses. */
const BUNDLE = new URL("js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference"));

const own = (name: string) => readFile(new URL(`reference/${name}`, import.meta.url), "utf8");

interface Asset {
  type: string;
  hash: string;
  bytes: Buffer;
  gzipped: Buffer;
}

const gzip = promisify(gzipWithCallback);

/** Made at the first request and kept. */
function asset(type: string, read: () => string | Promise<string>): () => Promise<Asset> {
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
