import { html } from "../../base/html.ts";
import type { Church } from "./church.ts";

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
