import type { Page, Route } from "@playwright/test";
import type { Vestry } from "@vestry/sdk";
import { expect, test } from "../../bed.ts";
import { type Group, letIn, makeGroup, makePerson, unique } from "../../church.ts";

/** What a form or a dialog writes: where it is, what is entered, and the button that sends it. */
type Act = {
  path: (group: Group, member: string) => string;
  enter: (page: Page, name: string, office: Vestry) => Promise<void>;
  send: string;
};

const person = (_: Group, member: string) => `/people/${member}`;
const cell = ({ id }: Group) => `/cells/${id}`;

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true }).click();

// On phones the menu of the app has such a button, too.
const pressMore = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();

async function choose(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).fill(name);
  await page.getByRole("option", { name }).first().click();
}

const ofMember = (entry: string) => async (page: Page, name: string) => {
  await press(page, `More about ${name}`);
  await page.getByRole("menuitem", { name: entry }).click();
};

const acts: Record<string, Act> = {
  "a new person": {
    path: () => "/people/new",
    enter: (page) => page.getByLabel("Full name").fill(`Vera ${unique()}`),
    send: "Save",
  },
  "a person added from any page": {
    path: () => "/me",
    enter: async (page) => {
      await page.keyboard.press("c");
      await page.getByLabel("Name", { exact: true }).fill(`Vera ${unique()}`);
    },
    send: "Save",
  },
  "a card of a person": {
    path: person,
    enter: async (page) => {
      await page.getByRole("button", { name: "Edit" }).first().click();
      await page.getByLabel("E-mail", { exact: true }).fill(`${unique()}@bed.example`);
    },
    send: "Save",
  },
  "a note": {
    path: (group, member) => `${person(group, member)}?tab=notes`,
    enter: async (page) => {
      await press(page, "Add note");
      await page.getByLabel("Note", { exact: true }).fill("Asked for a visit");
    },
    send: "Save the note",
  },
  "an anonymized person": {
    path: person,
    enter: async (page, name) => {
      await pressMore(page);
      await page.getByRole("menuitem", { name: "Anonymize…" }).click();
      await page.getByLabel(/^Type the name/).fill(name);
    },
    send: "Anonymize for good",
  },
  "a deleted person": {
    path: person,
    enter: async (page, name) => {
      await pressMore(page);
      await page.getByRole("menuitem", { name: "Delete …" }).click();
      await page.getByLabel(/^Type the name/).fill(name);
    },
    send: "Delete for good",
  },
  "a new household": {
    path: person,
    enter: (page) =>
      page
        .locator("section")
        .filter({ hasText: "Not in a household" })
        .getByRole("button", { name: "Add" })
        .click(),
    send: "Make the household",
  },
  "a new member": {
    path: cell,
    enter: async (page, _, office) => {
      const { "full-name": newcomer } = await makePerson(office, `Vera ${unique()}`);
      await press(page, "Add a member");
      await choose(page, "Person", newcomer);
    },
    send: "Add",
  },
  "a role": {
    path: cell,
    enter: async (page, name) => {
      await ofMember("Change the role")(page, name);
      await page.getByLabel("Role").selectOption("Host");
    },
    send: "Save",
  },
  "the end of a membership": {
    path: cell,
    enter: ofMember("End the membership"),
    send: "End the membership",
  },
  "a transfer": {
    path: cell,
    enter: async (page, name, office) => {
      const target = await office.cells.create({ name: `Target ${unique()}` });
      await press(page, "Transfer members");
      await page.getByRole("checkbox", { name }).check();
      await press(page, "Transfer to …");
      await choose(page, "To", target.name);
    },
    send: "Transfer",
  },
  "the card of a group": {
    path: (group) => `${cell(group)}?tab=about`,
    enter: async (page) => {
      await press(page, "Edit");
      await page.getByLabel("Name", { exact: true }).fill(`Renamed ${unique()}`);
    },
    send: "Save",
  },
  "a multiplication": {
    path: (group) => `${cell(group)}/multiply`,
    enter: async (page, name) => {
      await press(page, `${name} goes to the new group`);
      await page.getByLabel("Name of the new group").fill(`Daughter ${unique()}`);
      await page.getByLabel("Its leader").selectOption(name);
    },
    send: "Propose",
  },
  "a closed group": {
    path: cell,
    enter: async (page) => {
      await pressMore(page);
      await page.getByRole("menuitem", { name: "Close" }).click();
    },
    send: "Close the group",
  },
};

const isWrite = (route: Route) => !["GET", "HEAD"].includes(route.request().method());

for (const [what, { enter, path, send }] of Object.entries(acts))
  test(`${what} is written once, although the service was busy and then an answer was lost`, async ({
    as,
    expectMessage,
    office,
  }) => {
    // The person who was deleted is not found the second time.
    expectMessage(/429|net::ERR_FAILED|404 \(Not Found\)/);
    const group = await makeGroup(office);
    const [member = "", name = ""] = [...group.members][1] ?? [];
    const administrator = await makePerson(office, `Administrator ${unique()}`);
    await office.people.update(administrator, { "administrative-status": "full-administrator" });
    const page = await as(await letIn(office, administrator.id), path(group, member));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await enter(page, name, office);

    const refuse = (route: Route) =>
      isWrite(route)
        ? route.fulfill({ status: 429, headers: { "Retry-After": "20" }, json: {} })
        : route.fallback();
    await page.route("**/v1/**", refuse);
    await press(page, send);
    await expect(page.getByText("Too many requests. Try again in 20 seconds.")).toBeVisible();
    await page.unroute("**/v1/**", refuse);

    const lose = async (route: Route) => {
      if (!isWrite(route)) return route.fallback();
      await route.fetch();
      await route.abort();
    };
    await page.route("**/v1/**", lose);
    const failure = page.getByText(/^No connection\. What you entered is still here/);
    await press(page, send);
    await expect(failure).toBeVisible();
    await page.unroute("**/v1/**", lose);

    const again = page.waitForResponse((answer) => answer.request().method() !== "GET");
    await press(page, send);
    const answer = await again;
    if (answer.request().method() === "DELETE")
      await expect(page.getByRole("button", { name: send, exact: true })).toBeHidden();
    else expect(answer.headers()["idempotent-replay"], answer.url()).toBe("true");
    await expect(failure).toBeHidden();
  });
