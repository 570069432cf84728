import { type Content, html, type Html } from "../../base/html.ts";
import type { Church, Shown } from "./church.ts";

/** Parts that several pages have. */

/** Terms and what they say. Those without content are left out. */
export function factList(facts: readonly (readonly [term: string, content: Content])[]): Html {
  const known = facts.filter(([, content]) => content);
  if (known.length === 0) return html``;
  return html`<dl class="facts">${known.map(
    ([term, content]) => html`<div><dt>${term}</dt><dd dir="auto">${content}</dd></div>`,
  )}</dl>`;
}

/** A text of the church with its line breaks. */
export const prose = (text: string | null | undefined): Html =>
  html`${text && html`<p class="prose" dir="auto">${text}</p>`}`;

export const joined = (parts: readonly (string | null | undefined | false)[], by = " · ") =>
  parts.filter(Boolean).join(by);

/** The level of the title of a card: below the title of the page, or of a section. */
type Level = "h2" | "h3";

export function courseCard(church: Church, course: Shown<"courses">, level: Level): Html {
  const { words } = church;
  return html`<li class="card">
    ${image(course["image-url"])}
    ${cardTitle(church.path(`/courses/${course.id}`), course.name, level)}
    ${course.category && html`<p class="quiet" dir="auto">${course.category}</p>`}
    ${prose(course.summary)}
    ${course["has-open-classes"] && html`<p class="good">${words.openForEnrollment}</p>`}
    ${factList([[words.price, priceOf(church, course)]])}
  </li>`;
}

export const cardTitle = (path: string, name: string, level: Level): Html =>
  html`<${level}><a href="${path}"><bdi>${name}</bdi></a></${level}>`;

export const image = (url: string | null): Html =>
  html`${url && html`<img class="picture" src="${url}" alt="" width="1200" height="675" loading="lazy">`}`;

export function priceOf({ formats, words }: Church, course: Shown<"courses">): string {
  const { price, "price-currency": currency } = course;
  if (price === null) return "";
  if (price === 0) return words.free;
  return currency === null ? "" : formats.price(price, currency);
}

export function cellCard(church: Church, cell: Shown<"cells">, level: Level): Html {
  const { formats } = church;
  return html`<li class="card">
    ${cardTitle(church.path(`/cells/${cell.id}`), cell.name, level)}
    ${cell.category && html`<p class="quiet" dir="auto">${cell.category}</p>`}
    ${factList(factsOf(church, cell))}
    ${cell.distance !== null && html`<p class="quiet">${formats.kilometers(cell.distance)}</p>`}
  </li>`;
}

export function factsOf(church: Church, cell: Shown<"cells">): [string, Content][] {
  const { words } = church;
  const { "gender-category": gender } = cell;
  return [
    [words.when, whenOf(church, cell)],
    [words.where, joined([cell["is-online"] && words.online, cell.neighborhood, cell.city], ", ")],
    [words.for, joined([gender !== "mixed" && words.gender[gender], agesOf(church, cell)], ", ")],
  ];
}

function whenOf({ formats, words }: Church, cell: Shown<"cells">): string {
  const { "ends-at": until, frequency, "starts-at": from, weekday } = cell;
  return joined([
    weekday !== null && formats.weekday(weekday),
    formats.hours(from, until),
    frequency !== "weekly" && words.frequency[frequency],
  ]);
}

function agesOf({ words }: Church, { "age-max": until, "age-min": from }: Shown<"cells">): string {
  if (from !== null && until !== null) return `${from}–${until}`;
  if (from !== null) return words.agesFrom(from);
  return until === null ? "" : words.agesUntil(until);
}

/** The content of a page, as many as a phone shows in a few moments. */
export const PAGE_SIZE = 48;

export function pager(
  church: Church,
  page: number,
  total: number,
  addressOf: (page: number) => string,
): Html {
  const { words } = church;
  const last = Math.ceil(total / PAGE_SIZE);
  if (last <= 1) return html``;
  return html`<nav class="pager" aria-label="${words.pages}">
    ${page > 1 && html`<a rel="prev" href="${addressOf(page - 1)}">${words.previous}</a>`}
    <span>${page} / ${last}</span>
    ${page < last && html`<a rel="next" href="${addressOf(page + 1)}">${words.next}</a>`}
  </nav>`;
}

export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** A search parameter as one line, or nothing if it is absent or repeated. */
export function parameter(query: Query, name: string): string {
  const value = query[name];
  return typeof value === "string"
    ? value
        .replaceAll(/\p{Cc}/gu, "")
        .trim()
        .slice(0, 100)
    : "";
}

export function pageNumber(query: Query): number {
  const text = parameter(query, "page");
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1;
}
