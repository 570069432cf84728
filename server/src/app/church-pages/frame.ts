import { type Content, html, type Html } from "../../base/html.ts";
import type { Language } from "../../mail/languages.ts";
import type { Church } from "./church.ts";

/** A page of a church, before the frame is around it. */
export interface Page {
  /** The path below that of the church. The search parameters are not part of it. */
  path: string;
  title: string;
  /** The title in the window and for other sites. The name of the church follows. Home has the name alone. */
  isHome?: boolean;
  description?: string | null | undefined;
  image?: string | null;
  /** Facts for search engines, as schema.org describes them. */
  facts?: Html;
  main: Content;
}

/** Addresses of the icon, the style and the script, with the hashes of their content. */
export interface PageFiles {
  icon: string;
  style: string;
  script: string;
}

export function framed(church: Church, page: Page, files: PageFiles): string {
  const { language, name, shown, words } = church;
  const title = page.isHome ? name : `${page.title} · ${name}`;
  const description = oneLine(page.description ?? words.intro(name));
  const image = page.image ?? shown["logo-url"];
  const url = church.url(page.path);
  const locale = church.formats.locale.maximize();
  const head = html`<meta name="description" content="${description}">
    <link rel="canonical" href="${url}">
    <link rel="sitemap" type="application/xml" href="${church.path("/sitemap.xml")}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${name}">
    <meta property="og:title" content="${page.isHome ? name : page.title}">
    <meta property="og:description" content="${description}">
    <meta property="og:url" content="${url}">
    <meta property="og:locale" content="${locale.language}_${locale.region}">
    ${image && html`<meta property="og:image" content="${image}">`}
    ${page.facts}
    <script type="module" src="${files.script}"></script>`;
  return documentOf(
    { language, title, head, files, logo: shown["logo-url"] },
    html`
    <a class="skip" href="#main">${words.skip}</a>
    ${headerOf(church, page.path)}
    <main id="main">${page.main}</main>
    <footer>${contactOf(church)}</footer>`,
  );
}

function headerOf(church: Church, path: string): Html {
  const { name, shown, words } = church;
  const current = (section: string) => path.startsWith(section) && html` aria-current="true"`;
  return html`<header>
      <a class="church" href="${church.path()}">
        ${shown["logo-url"] && html`<img src="${shown["logo-url"]}" alt="" width="40" height="40">`}
        <bdi>${name}</bdi>
      </a>
      <nav aria-label="${words.sections}">
        <a href="${church.path("/courses")}"${current("/courses")}>${words.courses}</a>
        <a href="${church.path("/cells")}"${current("/cells")}><bdi>${church.groups}</bdi></a>
      </nav>
    </header>`;
}

/**
 * A page with a message, and the way on. The church is unknown if the error came before it was found, and a name alone if it
 * has no pages.
 */
export function messagePage(
  message: { language: Language; title: string; text: string; more?: Html },
  from: Church | string | undefined,
  files: PageFiles,
): string {
  const { language, more, text, title } = message;
  const [church, name] = typeof from === "string" ? [undefined, from] : [from, undefined];
  const head = html`<meta name="robots" content="noindex">`;
  return documentOf(
    { language, title, head, files, logo: church?.shown["logo-url"] },
    html`
    ${church ? headerOf(church, "") : name && html`<header><span class="church"><bdi>${name}</bdi></span></header>`}
    <main id="main">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${more}
    </main>
    ${church && html`<footer>${contactOf(church)}</footer>`}`,
  );
}

interface Head {
  language: Language;
  title: string;
  head: Html;
  files: PageFiles;
  logo?: string | null | undefined;
}

const documentOf = ({ files, head, language, logo, title }: Head, body: Html): string =>
  html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="${logo ?? files.icon}">
    <link rel="stylesheet" href="${files.style}">
    ${head}
  </head>
  <body>${body}
  </body>
</html>
`.toString();

function contactOf({ name, shown, words }: Church): Html {
  const { address, phone, website } = shown;
  const place = [
    [address?.street, address?.number].filter(Boolean).join(" "),
    address?.neighborhood,
    [address?.["postal-code"], address?.city].filter(Boolean).join(" "),
  ].filter(Boolean);
  return html`<h2 class="visually-hidden">${words.contact}</h2>
    <address>
      <bdi>${name}</bdi>
      ${place.map((part) => html`<bdi>${part}</bdi>`)}
      ${phone && html`<a dir="ltr" href="${telephone(phone)}">${phone}</a>`}
      ${website && html`<a dir="ltr" href="${website}">${new URL(website).host}</a>`}
    </address>`;
}

/** The address of a telephone number as people write it. */
export const telephone = (number: string) => `tel:${number.replaceAll(/[^\d+]/g, "")}`;

const LINE = 200;

/** Search engines and other sites show about this much. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= LINE ? line : `${line.slice(0, LINE - 1).trimEnd()}…`;
}
