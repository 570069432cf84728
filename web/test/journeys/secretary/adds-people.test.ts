import { unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("is stopped while adding a person who is already here", async ({ as, office }) => {
  const name = `Quitéria ${unique()}`;
  const present = await office.people.create({ "full-name": name });
  const page = await as("secretary", "/people");
  await page.getByRole("link", { name: "Add person" }).click();
  await expect(page.getByLabel("Full name")).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByText("Perhaps already here")).toBeVisible();
  await page.getByRole("link", { name }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  expect(page.url()).toContain(present.id);
  const { total } = await office.people.page({ filter: { q: name } });
  expect(total).toBe(1);
});

test("is asked before a person with the telephone of another one is saved", async ({
  as,
  office,
}) => {
  const mark = unique();
  const number = `+3519${Number.parseInt(mark, 16).toString().slice(0, 8).padEnd(8, "0")}`;
  const present = await office.people.create({
    "full-name": `Quitéria ${mark}`,
    "phones": [{ number }],
  });
  const page = await as("secretary", "/people/new");
  await page.getByLabel("Full name").fill(`Zulmira ${mark}`);
  await page.getByRole("textbox", { name: "Number" }).fill(number.slice(4));
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  const question = page.getByRole("alertdialog", { name: "Already here?" });
  const line = question.getByRole("listitem").filter({ hasText: present["full-name"] });
  await expect(line).toContainText("The same telephone");
  await question.getByRole("button", { name: "Back" }).click();
  await save.click();
  await question.getByRole("button", { name: "Save anyway" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Zulmira ${mark}` })).toBeVisible();

  // The short form asks, too.
  await page.keyboard.press("c");
  const form = page.getByRole("dialog").first();
  await form.getByLabel("Name").fill(`Xénia ${mark}`);
  await form.getByLabel("Phone, if known").fill(number);
  await form.getByRole("button", { name: "Save" }).click();
  await question.getByRole("link", { name: `Open ${present["full-name"]}` }).click();
  const leave = page.getByRole("button", { name: "Leave" });
  await leave.click();
  await expect(page).toHaveURL(new RegExp(`/people/${present.id}`));
  const { total } = await office.people.page({ filter: { q: mark } });
  expect(total).toBe(2);
});

test("adds a family of four", async ({ as, office }) => {
  const family = `Silva${unique()}`;
  const page = await as("secretary", "/people/new");
  // "Perhaps already here" can name the same person.
  const added = page.locator("section").filter({ hasText: "Added just now" });
  const names = ["Rosa", "Tiago", "Nina", "Leo"].map((first) => `${first} ${family}`);
  for (const [index, name] of names.entries()) {
    await page.getByLabel("Full name").fill(name);
    if (index === 0) await page.getByLabel(/household/i).check();
    if (index === 3) await page.getByRole("button", { name: "Save", exact: true }).click();
    else {
      await page.getByRole("button", { name: "Save and add another" }).click();
      await expect(added.getByRole("link", { name })).toBeVisible();
    }
  }
  await expect(page.getByRole("heading", { level: 1, name: names[3] })).toBeVisible();
  const { items } = await office.people.page({
    filter: { q: family },
    include: ["households"],
    fields: { people: ["full-name"], households: ["name"] },
  });
  expect(items.map((one) => one["full-name"]).sort()).toEqual([...names].sort());
  expect(new Set(items.flatMap(({ households }) => households.map(({ id }) => id))).size).toBe(1);
  for (const { households } of items) expect(households).toHaveLength(1);
});

test("is told that the form continues an earlier person, and starts empty", async ({ as }) => {
  const page = await as("secretary", "/people/new");
  const number = page.getByRole("textbox", { name: "Number 1" });
  await expect(page.getByText(/^Continued from/)).toHaveCount(0);
  await number.fill("912 345 678");
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("link", { name: "Add person" }).click();
  await expect(page.getByText(/^Continued from \d\d:\d\d$/)).toBeVisible();
  await expect(number).toHaveValue("912 345 678");
  await page.getByRole("button", { name: "Start empty" }).click();
  await expect(number).toHaveValue("");
  await expect(page.getByLabel("Full name")).toBeFocused();
  await expect(page.getByText(/^Continued from/)).toHaveCount(0);
});
