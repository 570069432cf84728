import { html } from "../../base/html.ts";
import type { Church } from "./church.ts";
import type { Page } from "./frame.ts";
import { cellCard, courseCard } from "./parts.ts";
import { churchFacts } from "./search-facts.ts";

const SHOWN = "6";

/** `/c/<alias>` */
export async function home(church: Church): Promise<Page> {
  const { groups, name, words } = church;
  const [courses, cells] = await Promise.all([
    church.list("courses", { "sort": "order,name", "page[size]": SHOWN }),
    church.list("cells", { "page[size]": SHOWN }),
  ]);
  return {
    path: "",
    title: name,
    isHome: true,
    facts: churchFacts(church),
    main: html`<h1>${words.welcome}</h1>
      <p class="lead" dir="auto">${words.intro(name)}</p>
      ${
        courses.total > 0 &&
        html`<section aria-labelledby="courses">
          <h2 id="courses">${words.courses}</h2>
          <ul class="cards">${courses.items.map((course) => courseCard(church, course, "h3"))}</ul>
          ${courses.total > courses.items.length && html`<p><a href="${church.path("/courses")}">${words.seeAllCourses}</a></p>`}
        </section>`
      }
      ${
        cells.total > 0 &&
        html`<section aria-labelledby="cells">
          <h2 id="cells" dir="auto">${groups}</h2>
          <p><a class="button" href="${church.path("/cells")}">${words.searchGroups}</a></p>
          <ul class="cards">${cells.items.map((cell) => cellCard(church, cell, "h3"))}</ul>
        </section>`
      }`,
  };
}
