import type { FastifyInstance } from "fastify";
import { churchesWithPages } from "../../access/visitor.ts";
import { html } from "../../base/html.ts";
import type { VisitDependencies } from "../../jsonapi/routes/public.ts";
import type { Church } from "./church.ts";

export const XML = "application/xml; charset=utf-8";

/**
 * `/robots.txt` and `/c/sitemap.xml`, the sitemap to which it leads: those of the churches that turned their pages on. The app and
 * the interface are nothing to find.
 */
export function registerSitemaps(
  app: FastifyInstance,
  { db, publicUrl }: Pick<VisitDependencies, "db" | "publicUrl">,
): void {
  const below = (path: string) => `${publicUrl.replace(/\/$/, "")}/c/${path}`;
  const robots = `User-agent: *\nAllow: /c/\nAllow: /v1/files/\nDisallow: /\n\nSitemap: ${below("sitemap.xml")}\n`;
  app.get("/robots.txt", async (_request, reply) => reply.type("text/plain").send(robots));
  app.get("/c/sitemap.xml", { config: { counted: "visit" } }, async (_request, reply) => {
    const churches = await churchesWithPages(db, ADDRESSES_MAX);
    reply.header("Cache-Control", "public, max-age=3600").type(XML);
    return html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${churches.map((alias) => html`<sitemap><loc>${below(`${alias}/sitemap.xml`)}</loc></sitemap>\n`)}</sitemapindex>
`.toString();
  });
}

/** The limit of the protocol of sitemaps. */
const ADDRESSES_MAX = 50_000;

/** `/c/<alias>/sitemap.xml` */
export async function sitemap(church: Church): Promise<string> {
  const pages = ["", "/courses", "/cells"];
  const kinds = { "courses": "courses", "course-classes": "classes", "cells": "cells" } as const;
  for (const [type, folder] of Object.entries(kinds))
    for (let page = 1, left = 1; left > 0 && pages.length < ADDRESSES_MAX; page += 1) {
      const { items, total } = await church.list(type as keyof typeof kinds, {
        "page[size]": "100",
        "page[number]": String(page),
      });
      pages.push(...items.map(({ id }) => `/${folder}/${id}`));
      left = total - page * 100;
    }
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.slice(0, ADDRESSES_MAX).map((page) => html`<url><loc>${church.url(page)}</loc></url>\n`)}</urlset>
`.toString();
}
