import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Vestry } from "@vestry/sdk";
import { parse } from "csv-parse/sync";
import { unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

/** Names that a careless file changes, cuts or runs. */
const NAMES = [
  '=HYPERLINK("https://evil.example";"free")',
  "+351 912 000 000",
  "-2+3",
  "@SUM(A1)",
  'Ana "Nini" Sousa',
  "Silva; Rui, Jr.",
  "Zé 👩‍👩‍👧‍👦 🇵🇹",
  "محمد بن علي",
  "דוד בן־גוריון",
];
const FORMULA = /^[=+@-]/;

/** The two who live together, and what the column of occupations must keep. */
const FAMILY = ["محمد بن علي", "Zé 👩‍👩‍👧‍👦 🇵🇹"];
const OCCUPATION = '=cmd|"/C calc"; طبيب 🩺';

const PHONE = "+351912345678";

async function makeVisitors(office: Vestry) {
  const mark = unique();
  const long = "W".repeat(255 - mark.length - 1);
  const visitors = await Promise.all(
    [...NAMES, long].map((name) =>
      office.people.create({
        "full-name": `${name} ${mark}`,
        "membership-status": "visitor",
        ...(FAMILY.includes(name) && { occupation: OCCUPATION, phones: [{ number: PHONE }] }),
      }),
    ),
  );
  const household = await office.households.create({ name: `عائلة ${mark}` });
  await Promise.all(
    visitors
      .filter(({ occupation }) => occupation === OCCUPATION)
      .map((person) =>
        office.householdMemberships.create({ household, person, "household-role": "head" }),
      ),
  );
  // Two who do not match: a member, and a visitor with a group.
  await office.people.create({ "full-name": `Member ${mark}`, "membership-status": "member" });
  const guest = await office.people.create({
    "full-name": `Guest ${mark}`,
    "membership-status": "visitor",
  });
  const cell = await office.cells.create({ name: `Group ${mark}` });
  await office.cellMemberships.create({ cell, person: guest, "cell-role": "participant" });
  return { mark, household: household.name, names: visitors.map((one) => one["full-name"]) };
}

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

async function chooseFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Shows the visitors without a group whose names contain the mark. */
async function filter(page: Page, mark: string, count: number): Promise<void> {
  await page.getByRole("searchbox").fill(mark);
  await page.getByRole("button", { name: /^Filter/ }).click();
  const panel = page.getByRole("dialog");
  await expect(panel.locator("summary")).toHaveText(["More filters"]);
  await expect(panel.getByLabel(/^Missed in a row/)).toBeVisible();
  await expect(panel.getByRole("combobox", { name: "Tag" })).toBeVisible();
  await panel.getByRole("checkbox", { name: "Visitor" }).check();
  await panel.getByRole("checkbox", { name: "none at all" }).check();
  await panel.getByRole("button", { name: `Show ${count} people` }).click();
  await expect(panel).toBeHidden();
}

/** Takes the e-mail address out, adds the occupation, and moves it before the group. */
async function chooseColumns(page: Page): Promise<void> {
  if (isPhone(page)) await chooseFromMenu(page, "Columns");
  else await page.getByRole("button", { name: "Columns" }).click();
  const panel = page.getByRole("dialog");
  await panel.getByRole("checkbox", { name: "E-mail", exact: true }).uncheck();
  await panel.getByRole("checkbox", { name: "Occupation" }).check();
  await panel.getByRole("button", { name: "Move Occupation up" }).click();
  await panel.getByRole("checkbox", { name: "Added" }).check();
  if (isPhone(page)) {
    await expect(panel).toContainText("each row shows “House group” and the columns that you add");
    await panel.getByRole("button", { name: "Done" }).click();
  } else await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
}

test("filters visitors without a group, chooses columns, prints the directory and saves a CSV file that spreadsheets open whole", async ({
  as,
  office,
}) => {
  const { mark, household, names } = await makeVisitors(office);
  const page = await as("secretary", "/people");
  await filter(page, mark, names.length);
  await chooseColumns(page);
  const rows = page.locator("[data-index]");
  await expect(rows).toHaveCount(names.length);
  await expect(rows.filter({ hasText: OCCUPATION })).toHaveCount(FAMILY.length);

  const download = page.waitForEvent("download");
  await chooseFromMenu(page, "CSV file");
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^People \d{4}-\d\d-\d\d\.csv$/);
  const bytes = await readFile(await file.path());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.toString()).toMatch(/^[^\n]*Name;Phone;Status;Occupation;House group;Added\r\n/);
  // The demo church is in Portugal, where spreadsheets expect semicolons. The parser is strict about quotes.
  const [head, ...cells] = parse(bytes, { bom: true, delimiter: ";", record_delimiter: "\r\n" });
  expect(head).toEqual(["Name", "Phone", "Status", "Occupation", "House group", "Added"]);
  const harmless = (text: string) => (FORMULA.test(text) ? `'${text}` : text);
  expect(cells.map(([name = ""]) => name).sort()).toEqual(names.map(harmless).sort());
  for (const [name, phone, status, occupation, group, added] of cells) {
    const isFamily = FAMILY.some((one) => name?.startsWith(one));
    expect([phone, status, occupation, group], name).toEqual([
      isFamily ? PHONE : "",
      "Visitor",
      isFamily ? harmless(OCCUPATION) : "",
      "",
    ]);
    expect(added).toMatch(/^\d{4}-\d\d-\d\d$/);
  }

  await chooseFromMenu(page, "Print");
  await expect(page.getByRole("columnheader")).toHaveText([
    "Name",
    "Phone",
    "Status",
    "Occupation",
    "House group",
    "Added",
  ]);
  await page.getByRole("link", { name: "Directory by household" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Directory" })).toBeVisible();
  const main = page.getByRole("main");
  await expect(main).toContainText(`${names.length} people`);
  for (const name of names) await expect(main.getByText(name, { exact: true })).toHaveCount(1);
  const family = main.locator("section").filter({ has: page.getByRole("heading", { level: 2 }) });
  await expect(family).toHaveCount(1);
  await expect(family.getByRole("heading")).toHaveText(household);
  for (const name of FAMILY) await expect(family).toContainText(name);

  // On paper, the page says where it is from, and has no part of the app around it.
  await page.emulateMedia({ media: "print" });
  const { person, account } = await session(page);
  await expect(main.getByText(account["church-name"], { exact: true })).toBeVisible();
  await expect(
    main.getByText(`“${mark}” · Status: Visitor · House group: none at all`, { exact: true }),
  ).toBeVisible();
  const day = new Date().toLocaleDateString("en-GB", {
    dateStyle: "long",
    timeZone: account.settings["time-zone"] ?? "UTC",
  });
  await expect(
    main.getByText(`${day}, printed by ${person["full-name"]}`, { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  const paper = await page.pdf({ format: "A4" });
  expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
  await page.emulateMedia({ media: "screen" });

  await page.evaluate(() => {
    Object.assign(globalThis, {
      print: () => document.documentElement.setAttribute("data-printed", ""),
    });
  });
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("html[data-printed]")).toHaveCount(1);
});

/** Who is logged in, and where. */
async function session(page: Page) {
  const answer = await page.request.get("/session");
  return (await answer.json()) as {
    person: { "full-name": string };
    account: { "church-name": string; "settings": { "time-zone"?: string } };
  };
}
