import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ApiError, notFound } from "../../base/errors.ts";
import { isNotModified } from "../../jsonapi/request/etag.ts";
import type { OpenReception } from "../../features/visitors/reception.ts";
import type { VisitDependencies } from "../../jsonapi/routes/public.ts";
import { type Language, languageOf } from "../../mail/languages.ts";
import { answerTo } from "../http/errors-out.ts";
import { cacheControl } from "../http/security-headers.ts";
import { asset, CSS, HTML, IMMUTABLE, JAVASCRIPT, serveFile } from "../pages/static-files.ts";
import { cellList, cellPage } from "./cells.ts";
import { Church } from "./church.ts";
import { registerConfirmation } from "./confirmation.ts";
import { registerEntries } from "./register-entries.ts";
import { classPage, courseList, coursePage } from "./courses.ts";
import { framed, messagePage, type Page, type PageFiles } from "./frame.ts";
import { home } from "./home.ts";
import type { Query } from "./parts.ts";
import { registerSitemaps, sitemap, XML } from "./sitemap.ts";
import { wordsIn } from "./words.ts";

const pages: Readonly<Record<string, (church: Church, id: string, query: Query) => Promise<Page>>> =
  {
    "": (church) => home(church),
    "/courses": (church, _id, query) => courseList(church, query),
    "/courses/:id": (church, id) => coursePage(church, id),
    "/classes/:id": (church, id) => classPage(church, id),
    "/cells": (church, _id, query) => cellList(church, query),
    "/cells/:id": (church, id) => cellPage(church, id),
    // A path that no page has.
    "/*": () => Promise.reject(notFound()),
  };

/** Registers the pages of accounts without a website: `/c/<alias>`, for accounts with `settings.public-pages`. */
export function registerChurchPages(
  app: FastifyInstance,
  dependencies: VisitDependencies & OpenReception,
): void {
  const style = asset(CSS, () => own("page.css"));
  const script = asset(JAVASCRIPT, () => own("page.js"));
  const icon = asset("image/svg+xml", () => own("icon.svg"));
  serveFile(app, "/c/page.css", style, IMMUTABLE);
  serveFile(app, "/c/page.js", script, IMMUTABLE);
  serveFile(app, "/c/icon.svg", icon, IMMUTABLE);
  registerSitemaps(app, dependencies);

  const prefix = new URL(dependencies.publicUrl).pathname.replace(/\/$/, "");
  const files = async (): Promise<PageFiles> => ({
    icon: `${prefix}/c/icon.svg?v=${(await icon()).hash}`,
    style: `${prefix}/c/page.css?v=${(await style()).hash}`,
    script: `${prefix}/c/page.js?v=${(await script()).hash}`,
  });

  const fail = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    church?: Church,
  ) => {
    const answer = answerTo(error, request);
    const { headers, status } = answer;
    const language = church?.language ?? languageOfReader(request);
    const message = { language, ...messageOf(answer, language) };
    return reply
      .code(status)
      .headers({
        ...headers,
        ...(church ? policyFor(church) : POLICY),
        "Cache-Control": cacheControl.never,
      })
      .type(HTML)
      .send(messagePage(message, church, await files()));
  };

  const serve = (
    path: string,
    type: string,
    make: (church: Church, request: FastifyRequest) => Promise<string>,
  ) =>
    app.get(
      `/c/:alias${path}`,
      { config: { counted: "visit" }, errorHandler: (...failed) => void fail(...failed) },
      async (request, reply) => {
        const church = await Church.named(parametersOf(request).alias, dependencies);
        request.caller = church.actor;
        // A path that someone typed or shortened ends with a slash.
        if (/[^/]\/+(\?|$)/.test(request.url)) return redirectWithoutSlash(church, request, reply);
        try {
          return send(request, reply, type, await make(church, request), policyFor(church));
        } catch (error) {
          return fail(error, request, reply, church);
        }
      },
    );

  for (const [path, page] of Object.entries(pages))
    serve(path, HTML, async (church, request) => {
      const { id = "" } = parametersOf(request);
      return framed(church, await page(church, id, request.query as Query), await files());
    });
  registerEntries(app, dependencies, {
    fail,
    sendFresh: async (reply, church, page) =>
      reply
        .headers({ ...policyFor(church), "Cache-Control": cacheControl.never })
        .type(HTML)
        .send(framed(church, page, await files())),
  });
  serve("/sitemap.xml", XML, sitemap);
  registerConfirmation(app, dependencies, {
    fail,
    files,
    languageOfReader,
    sendPage: (reply, page, church) =>
      reply
        .headers({ ...(church ? policyFor(church) : POLICY), "Cache-Control": cacheControl.never })
        .type(HTML)
        .send(page),
  });
}

/** The path stays below that of the church, so that no address leads to another site. */
function redirectWithoutSlash(church: Church, { url }: FastifyRequest, reply: FastifyReply) {
  const [path = "", query] = url.split("?", 2);
  const below = path.replace(/^\/c\/[^/]*/, "").replace(/\/+$/, "");
  return reply.redirect(church.path(query ? `${below}?${query}` : below), 301);
}

const parametersOf = ({ params }: FastifyRequest) => params as { alias: string; id?: string };

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  body: string,
  policy: Record<string, string>,
) {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  // The session of a reader changes nothing, so caches may share the pages.
  reply.headers({
    ...policy,
    "Cache-Control": "public, max-age=300",
    "ETag": etag,
    "Vary": "Origin",
  });
  if (isNotModified(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.type(type).send(body);
}

const policyOf = (images: string) => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
});

const POLICY = policyOf("'self' data:");

/** The logo can be on another host. */
function policyFor({ publicUrl, shown }: Church): Record<string, string> {
  const origins = [publicUrl, shown["logo-url"]].map((url) => url && new URL(url).origin);
  return policyOf(["'self' data:", ...origins].filter(Boolean).join(" "));
}

/** The language of the reader, for pages of no church. */
const languageOfReader = ({ headers }: FastifyRequest): Language =>
  languageOf(
    ...(headers["accept-language"] ?? "").split(",").map((tag) => tag.split(";", 1)[0]?.trim()),
  );

function messageOf({ problems, status }: ApiError, language: keyof typeof wordsIn) {
  const words = wordsIn[language];
  const { ends } = words.form;
  const code = problems[0]?.code ?? "";
  if (Object.hasOwn(ends, code)) return ends[code as keyof typeof ends];
  if (status === 404) return { title: words.notFound, text: words.notFoundText };
  if (status === 429) return { title: words.tooMany, text: words.tooManyText };
  return { title: words.unavailable, text: words.unavailableText };
}

const own = (name: string) => readFile(new URL(name, import.meta.url), "utf8");
