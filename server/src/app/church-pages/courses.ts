import { type Content, html, type Html } from "../../base/html.ts";
import type { Church, Shown } from "./church.ts";
import type { Page } from "./frame.ts";
import {
  cardTitle,
  courseCard,
  factList,
  image,
  joined,
  PAGE_SIZE,
  pageNumber,
  pager,
  priceOf,
  prose,
  type Query,
} from "./parts.ts";
import { classFacts, courseFacts } from "./search-facts.ts";

/** `/c/<alias>/courses` */
export async function courseList(church: Church, query: Query): Promise<Page> {
  const { words } = church;
  const page = pageNumber(query);
  const { items, total } = await church.list("courses", {
    "sort": "order,name",
    "page[size]": String(PAGE_SIZE),
    "page[number]": String(page),
  });
  return {
    path: "/courses",
    title: words.courses,
    main: html`<h1>${words.courses}</h1>
      ${items.length === 0 && html`<p class="lead">${words.noCourses}</p>`}
      <ul class="cards">${items.map((course) => courseCard(church, course, "h2"))}</ul>
      ${pager(church, page, total, (number) => church.path(`/courses?page=${number}`))}`,
  };
}

/** `/c/<alias>/courses/<id>` */
export async function coursePage(church: Church, id: string): Promise<Page> {
  const { words } = church;
  const [course, classes] = await Promise.all([
    church.one("courses", id),
    church.list("course-classes", { "filter[course]": id, "page[size]": "100" }),
  ]);
  const { category, description, lessons = [], name, summary } = course;
  return {
    path: `/courses/${id}`,
    title: name,
    description: summary ?? description,
    image: course["image-url"],
    facts: courseFacts(church, course),
    main: html`<article>
      <h1 dir="auto">${name}</h1>
      ${category && html`<p class="quiet" dir="auto">${category}</p>`}
      ${image(course["image-url"])}
      ${prose(description ?? summary)}
      ${factList([[words.price, priceOf(church, course)]])}
      <section aria-labelledby="classes">
        <h2 id="classes">${words.openClasses}</h2>
        ${classes.items.length === 0 && html`<p>${words.noClasses}</p>`}
        <ul class="cards">${classes.items.map((one) => classCard(church, one))}</ul>
      </section>
      ${
        lessons.length > 0 &&
        html`<section aria-labelledby="lessons">
          <h2 id="lessons">${words.lessons}</h2>
          <ol>${lessons.map((lesson) => html`<li value="${lesson.number}" dir="auto">${lesson.name}</li>`)}</ol>
        </section>`
      }
    </article>`,
  };
}

const classCard = (church: Church, one: Shown<"course-classes">): Html =>
  html`<li class="card">
    ${cardTitle(church.path(`/classes/${one.id}`), one.name, "h3")}
    ${factList(linesOf(church, one))}
    ${seatsOf(church, one)}
  </li>`;

/** `/c/<alias>/classes/<id>` */
export async function classPage(church: Church, id: string): Promise<Page> {
  const one = await church.one("course-classes", id);
  const course = await church.one("courses", one["course-id"]);
  return {
    path: `/classes/${id}`,
    title: joined([one.name, course.name]),
    description: course.summary ?? course.description,
    image: course["image-url"],
    facts: classFacts(church, one, course),
    main: html`<article>
      <p class="up"><a href="${church.path(`/courses/${course.id}`)}"><bdi>${course.name}</bdi></a></p>
      <h1 dir="auto">${one.name}</h1>
      ${factList([...linesOf(church, one), [church.words.price, priceOf(church, course)]])}
      ${seatsOf(church, one)}
      ${prose(course.summary)}
      ${
        course["enrollment-policy"] !== "closed" &&
        one["seats-left"] !== "none" &&
        html`<p><a class="button" href="${church.path(`/classes/${id}/enroll`)}">${church.words.form.enroll}</a></p>`
      }
    </article>`,
  };
}

const seatsOf = ({ words }: Church, { "seats-left": left }: Shown<"course-classes">): Html =>
  html`<p class="${left === "available" ? "good" : "warn"}">${words.seats[left]}</p>`;

function linesOf(church: Church, one: Shown<"course-classes">): [string, Content][] {
  const { formats, words } = church;
  const { "enrollment-closes-at": closes, location, mode, schedule, teachers } = one;
  const zone = one["time-zone"];
  const times = schedule.map((slot) =>
    joined([formats.weekday(slot.weekday), formats.hours(slot["starts-at"], slot["ends-at"])]),
  );
  // Visitors of an online class may live elsewhere.
  const place = mode === "in-person" ? "" : zone.replaceAll("_", " ");
  const lines = [daysOf(church, one), ...times, times.length > 0 && place].filter(Boolean);
  return [
    [words.when, lines.length > 0 && lines.map((line) => html`<span class="line">${line}</span>`)],
    [words.where, joined([location, mode !== "in-person" && words.mode[mode]])],
    [words.teachers, teachers.join(", ")],
    [words.enrollUntil, closes === null ? "" : formats.day(closes, zone)],
  ];
}

function daysOf({ formats, words }: Church, one: Shown<"course-classes">): string {
  const { ends, starts, "time-zone": zone } = one;
  if (starts === null) return "";
  return ends === null
    ? words.startsOn(formats.day(starts, zone))
    : formats.days(starts, ends, zone);
}
