// Shows the courses, classes and cells that an account makes public.

import { byId, element, language, read, service, showError } from "./service.js";

/** Reads all pages of a list. */
async function readAll(path, signal) {
  const all = [];
  for (let url = service + path; url; ) {
    const { data, links } = await read(url, { signal });
    all.push(...data);
    url = links.next;
  }
  return all;
}

// -- Elements ---------------------------------------------------------------------------------------------------------

/** A line of a card, or nothing without content. */
const line = (label, content) =>
  content && content.length !== 0
    ? element("p", [element("span", label, { class: "label" }), " ", ...[content].flat()])
    : undefined;

function show(list, cards, otherwise) {
  list.replaceChildren(...cards.map((card) => element("li", card)));
  if (cards.length === 0) list.append(element("li", element("p", otherwise), { class: "none" }));
  list.removeAttribute("aria-busy");
}

// -- Texts ------------------------------------------------------------------------------------------------------------

/** 0 is Sunday. 4 January 1970 was one. */
const weekdayName = (weekday) =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(
    new Date(Date.UTC(1970, 0, 4 + weekday)),
  );

const clock = (minutes) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function when(attributes) {
  const { weekday, "starts-at": from, "ends-at": until } = attributes;
  if (weekday === null) return "";
  const hours = [from, until].filter((one) => one !== null).map(clock);
  return [`${weekdayName(weekday)}s`, hours.join("–")].filter(Boolean).join(", ");
}

const day = (timestamp, timeZone) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(new Date(timestamp));

function days({ starts, ends, "time-zone": timeZone }) {
  if (!starts) return "";
  return ends
    ? `${day(starts, timeZone)} to ${day(ends, timeZone)}`
    : `From ${day(starts, timeZone)}`;
}

/** Prices are in minor units, for example cents. */
function price({ price: amount, "price-currency": currency }) {
  if (amount === null) return "";
  if (amount === 0) return "Free";
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
}

function ages({ "age-min": from, "age-max": until }) {
  if (from === null && until === null) return "";
  if (until === null) return `From ${from}`;
  return from === null ? `Up to ${until}` : `${from} to ${until}`;
}

const genders = {
  women: "Women",
  men: "Men",
  couples: "Couples",
  youth: "Youth",
  children: "Children",
};
const seats = { available: "Places left", few: "Only a few places left", none: "Full" };
const modes = { "online": "Online", "hybrid": "In person and online" };

// -- The account ------------------------------------------------------------------------------------------------------

async function showAccount() {
  const { data } = await read(`${service}/p/v1/accounts/me`);
  const { "church-name": name, address, phone, settings, website } = data.attributes;
  document.title = `Courses and groups · ${name}`;
  byId("church").textContent = name;
  const label = settings["cells-label"] ?? "Groups";
  for (const id of ["groups-title", "groups-link"]) byId(id).textContent = label;
  const street = [address?.street, address?.number].filter(Boolean).join(" ");
  const parts = [name, street, address?.city].filter(Boolean).map((part) => element("span", part));
  if (phone) parts.push(element("a", phone, { href: `tel:${phone.replaceAll(/[^\d+]/g, "")}` }));
  if (website) parts.push(element("a", new URL(website).host, { href: website }));
  byId("contact").replaceChildren(...parts);
}

// -- Courses ----------------------------------------------------------------------------------------------------------

async function showCourses() {
  const [courses, classes] = await Promise.all([
    readAll("/p/v1/courses?sort=order,name"),
    readAll("/p/v1/course-classes"),
  ]);
  const cards = courses.map(({ attributes, id }) => {
    const own = classes.filter((one) => one.attributes["course-id"] === id);
    return [
      attributes["image-url"] &&
        element("img", [], { src: attributes["image-url"], alt: "", loading: "lazy" }),
      element("h3", attributes.name),
      attributes.category && element("p", attributes.category, { class: "category" }),
      attributes.summary && element("p", attributes.summary),
      line("Price", price(attributes)),
      own.length > 0 &&
        element(
          "ul",
          own.map((one) => element("li", classLines(one.attributes))),
          { class: "classes" },
        ),
    ];
  });
  show(byId("course-list"), cards, "There are no courses at the moment.");
}

function classLines(attributes) {
  const { location, mode, name, schedule, teachers, "seats-left": left } = attributes;
  return [
    element("h4", name),
    line("When", [days(attributes), ...schedule.map(when)].filter(Boolean).join(" · ")),
    line("Where", [location, modes[mode]].filter(Boolean).join(" · ")),
    line("With", teachers.join(", ")),
    element("p", seats[left], { class: `seats ${left}` }),
  ];
}

// -- Cells ------------------------------------------------------------------------------------------------------------

let searching = new AbortController();

async function showCells() {
  // A slow answer to an earlier search must not replace the answer to this one.
  searching.abort();
  searching = new AbortController();
  const { signal } = searching;
  const filters = [...new FormData(byId("search"))]
    .map(([name, value]) => [name, value.trim()])
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [`filter[${name}]`, value]);
  byId("group-list").setAttribute("aria-busy", "true");
  const cells = await readAll(`/p/v1/cells?${new URLSearchParams(filters)}`, signal);
  show(byId("group-list"), cells.map(cellCard), "Nothing was found. Try another day or city.");
  byId("found").textContent = cells.length === 1 ? "1 result" : `${cells.length} results`;
}

function cellCard({ attributes, id }) {
  const {
    category,
    city,
    "gender-category": gender,
    "is-online": isOnline,
    name,
    neighborhood,
  } = attributes;
  return [
    element("h3", name),
    category && element("p", category, { class: "category" }),
    line("When", when(attributes)),
    line("Where", [isOnline && "Online", neighborhood, city].filter(Boolean).join(", ")),
    line("For", [genders[gender], ages(attributes)].filter(Boolean).join(", ")),
    cellDetails(id, name),
  ];
}

/** The leaders and the description are read when a visitor asks for them. */
function cellDetails(id, name) {
  const details = element("details", [
    element("summary", ["More", element("span", ` about ${name}`, { class: "hidden" })]),
  ]);
  details.addEventListener(
    "toggle",
    () =>
      read(`${service}/p/v1/cells/${id}`)
        .then(({ data }) => details.append(...cellLines(data.attributes)))
        .catch(showError),
    { once: true },
  );
  return details;
}

function cellLines({ "accepts-requests": isOpen, address, description, leaders }) {
  const street = address && [address.street, address.number].filter(Boolean).join(" ");
  const leader = ({ email, name, phone, "phone-display": display }) =>
    element(
      "span",
      [
        name,
        email && element("a", email, { href: `mailto:${email}` }),
        phone && element("a", display, { href: `tel:${phone}` }),
      ],
      { class: "leader" },
    );
  return [
    description && element("p", description),
    line("With", leaders.map(leader)),
    line("Address", street),
    element(
      "p",
      isOpen ? "New people are welcome." : "This group takes no new people at the moment.",
    ),
  ].filter(Boolean);
}

// -- Start ------------------------------------------------------------------------------------------------------------

const search = () =>
  showCells().catch((error) => {
    if (error.name !== "AbortError") showError(error);
  });

for (let weekday = 0; weekday < 7; weekday += 1)
  byId("search").elements.weekday.append(
    element("option", weekdayName(weekday), { value: weekday }),
  );
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  void search();
});
byId("search").elements.weekday.addEventListener("change", search);

showAccount().catch(showError);
showCourses().catch(showError);
void search();
