import { html, type Html } from "../../base/html.ts";
import type { Church, Shown } from "./church.ts";
import { type Page, telephone } from "./frame.ts";
import {
  cellCard,
  factList,
  factsOf,
  joined,
  PAGE_SIZE,
  pageNumber,
  pager,
  parameter,
  prose,
  type Query,
} from "./parts.ts";
import { cellFacts } from "./search-facts.ts";

/** The distances that visitors choose from. */
const DISTANCES = [2, 5, 10, 25, 50];

/** `/c/<alias>/cells` */
export async function cellList(church: Church, query: Query): Promise<Page> {
  const { groups, words } = church;
  const search = searchIn(query);
  const page = pageNumber(query);
  const [all, found] = await Promise.all([
    church.list("cells", { "page[size]": "100" }),
    church.list("cells", {
      ...filtersOf(search),
      "page[size]": String(PAGE_SIZE),
      "page[number]": String(page),
    }),
  ]);
  const addressOf = (number: number) => {
    const { lat, lng, km } = search.near ?? {};
    const given = Object.entries({ ...search, near: undefined, lat, lng, km, page: number });
    const asked = new URLSearchParams();
    for (const [name, value] of given) if (value) asked.set(name, String(value));
    return church.path(`/cells?${asked.toString()}`);
  };
  return {
    path: "/cells",
    title: groups,
    main: html`<h1 dir="auto">${groups}</h1>
      ${searchForm(church, search, all)}
      <p role="status" class="quiet">${found.total === 0 ? words.noGroups : words.found(found.total)}</p>
      <ul class="cards">${found.items.map((cell) => cellCard(church, cell, "h2"))}</ul>
      ${pager(church, page, found.total, addressOf)}`,
  };
}

interface Search {
  weekday: string;
  city: string;
  for: string;
  near: { lat: string; lng: string; km: string } | undefined;
}

/** The search of a visitor. Other parameters, such as those of advertisements, are ignored. */
function searchIn(query: Query): Search {
  const weekday = parameter(query, "weekday");
  const lat = degreesIn(query, "lat", 90);
  const lng = degreesIn(query, "lng", 180);
  const km = DISTANCES.find((one) => String(one) === parameter(query, "km")) ?? 10;
  return {
    weekday: /^[0-6]$/.test(weekday) ? weekday : "",
    city: parameter(query, "city"),
    for: parameter(query, "for"),
    near: lat && lng ? { lat, lng, km: String(km) } : undefined,
  };
}

/** About a kilometer, which says enough about where a visitor is. */
function degreesIn(query: Query, name: string, max: number): string | undefined {
  const text = parameter(query, name);
  const degrees = Number(text);
  return text !== "" && Math.abs(degrees) <= max ? degrees.toFixed(2) : undefined;
}

function filtersOf({ city, for: gender, near, weekday }: Search): Record<string, string> {
  const isKnown = ["women", "men", "couples", "youth", "children", "mixed"].includes(gender);
  return {
    ...(weekday && { "filter[weekday]": weekday }),
    ...(city && { "filter[city]": city }),
    ...(isKnown && { "filter[gender-category]": gender }),
    ...(near && {
      "filter[lat]": near.lat,
      "filter[lng]": near.lng,
      "filter[km]": near.km,
      "sort": "distance",
    }),
  };
}

function searchForm(
  church: Church,
  search: Search,
  { items, total }: { items: readonly Shown<"cells">[]; total: number },
): Html {
  const { formats, groups, words } = church;
  const { near } = search;
  const cities = [...new Set([...items.map(({ city }) => city ?? ""), search.city])]
    .filter((city) => city !== "")
    .sort(new Intl.Collator(church.language).compare);
  const kinds = new Set(items.map((cell) => cell["gender-category"]));
  const option = (value: string | number, text: string, chosen: string) =>
    html`<option value="${value}"${String(value) === chosen && html` selected`}>${text}</option>`;
  return html`<form class="search" id="search" role="search" aria-label="${groups}" action="${church.path("/cells")}">
    <label>${words.day}
      <select name="weekday">
        ${option("", words.anyDay, search.weekday)}
        ${formats.weekdays.map((day) => option(day, formats.weekday(day), search.weekday))}
      </select>
    </label>
    <label>${words.city} ${
      total > items.length
        ? html`<input name="city" value="${search.city}" maxlength="100" autocomplete="address-level2">`
        : html`<select name="city">
            ${option("", words.anyCity, search.city)}
            ${cities.map((city) => option(city, city, search.city))}
          </select>`
    }</label>
    ${
      kinds.size > 1 &&
      html`<label>${words.for}
        <select name="for">
          ${option("", words.anyone, search.for)}
          ${[...kinds].filter((kind) => kind !== "mixed").map((kind) => option(kind, words.gender[kind], search.for))}
        </select>
      </label>`
    }
    ${
      near
        ? html`<label>${words.kilometers}
            <select name="km">${DISTANCES.map((one) => option(one, formats.kilometers(one), near.km))}</select>
          </label>`
        : html`<input type="hidden" name="km" value="">`
    }
    <input type="hidden" name="lat" value="${near?.lat}">
    <input type="hidden" name="lng" value="${near?.lng}">
    <button>${words.search}</button>
    <button type="button" class="second" id="near-me" data-failed="${words.nearMeFailed}" hidden>${words.nearMe}</button>
  </form>
  <p id="near-me-status" role="status"></p>
  ${
    near &&
    html`<p>${words.nearYou(formats.kilometers(Number(near.km)))} · <a href="${church.path("/cells")}">${words.everywhere}</a></p>`
  }`;
}

/** `/c/<alias>/cells/<id>` */
export async function cellPage(church: Church, id: string): Promise<Page> {
  const { groups, words } = church;
  const cell = await church.one("cells", id);
  const { address, category, description, leaders = [], name } = cell;
  const street = joined(
    [joined([address?.street, address?.number], " "), address?.complement],
    ", ",
  );
  const leader = (one: (typeof leaders)[number]) => html`<span class="line"><bdi>${one.name}</bdi>
    ${one.phone && html`<a dir="ltr" href="${telephone(one.phone)}">${one["phone-display"] ?? one.phone}</a>`}
    ${one.email && html`<a dir="ltr" href="mailto:${one.email}">${one.email}</a>`}</span>`;
  return {
    path: `/cells/${id}`,
    title: name,
    description,
    facts: cellFacts(church, cell),
    main: html`<article>
      <p class="up"><a href="${church.path("/cells")}"><bdi>${groups}</bdi></a></p>
      <h1 dir="auto">${name}</h1>
      ${category && html`<p class="quiet" dir="auto">${category}</p>`}
      ${prose(description)}
      ${factList([
        ...factsOf(church, cell),
        [words.address, street],
        [words.teachers, leaders.length > 0 && leaders.map(leader)],
      ])}
      <p>${cell["accepts-requests"] ? words.newPeopleWelcome : words.fullyBooked}</p>
      ${cell["accepts-requests"] && html`<p><a class="button" href="${church.path(`/cells/${id}/join`)}">${words.form.join}</a></p>`}
    </article>`,
  };
}
