import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import type { WholeCatalogue } from "../../jsonapi/definition/whole-catalogue.ts";
import { ERRORS_PATH, errorsHtml } from "../../contract/error-pages.ts";
import { serviceDocument } from "../../contract/service-document.ts";
import {
  type Asset,
  asset,
  CSS,
  HTML,
  IMMUTABLE,
  JAVASCRIPT,
  REVALIDATED,
  serveFile,
} from "./static-files.ts";

/**
 * Serves `/openapi.json` for programs and `/docs` for people. `/docs` is Scalar's reference, in which readers log in and
 * send requests. This service serves all of its files. The content security policy blocks every other host, so the
 * page works without a network and third parties do not learn of its readers.
 */
export function registerReference(app: FastifyInstance, catalogue: WholeCatalogue): void {
  const openApi = asset("application/json", () => JSON.stringify(serviceDocument(catalogue)));
  const bundle = asset(JAVASCRIPT, () => readFile(BUNDLE, "utf8"));
  const script = asset(JAVASCRIPT, () => own("page.js"));
  const style = asset(CSS, () => own("page.css"));
  const page = asset(HTML, async () =>
    (await own("page.html"))
      .replace("{{bundle}}", (await bundle()).hash)
      .replace("{{script}}", (await script()).hash)
      .replace("{{style}}", (await style()).hash),
  );

  const serve = (url: string, found: () => Promise<Asset>, headers: Record<string, string>) =>
    serveFile(app, url, found, headers);
  const errors = asset(HTML, errorsHtml);
  serve("/openapi.json", openApi, REVALIDATED);
  serve(ERRORS_PATH, errors, { ...REVALIDATED, "Content-Security-Policy": ERRORS_POLICY });
  serve("/docs", page, { ...REVALIDATED, "Content-Security-Policy": PAGE_POLICY });
  app.get("/docs/", async (_request, reply) => reply.redirect("/docs"));
  serve("/docs/page.js", script, IMMUTABLE);
  serve("/docs/page.css", style, IMMUTABLE);
  serve("/docs/scalar.js", bundle, IMMUTABLE);
}

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

/** Only this file of the package is used: its plugin would serve a page that a strict policy refuses. */
const BUNDLE = new URL("js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference"));

const own = (name: string) => readFile(new URL(`reference/${name}`, import.meta.url), "utf8");
