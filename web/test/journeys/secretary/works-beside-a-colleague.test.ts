import type { Page } from "@playwright/test";
import { unique } from "../../church.ts";
import { expect, test, withoutStream } from "../../bed.ts";

/** Opens a page, and waits until the service tells it about changes. */
async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse(/changes\/stream/);
  await page.goto(path);
  expect((await stream).status()).toBe(200);
}

const cardOf = (page: Page, title: string) =>
  page.locator("section, form").filter({ has: page.getByRole("heading", { name: title }) });

test("sees what a colleague changes, adds and deletes, in a list and in a record, without a reload", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/404 \(Not Found\)/);
  const mark = unique();
  const person = await office.people.create({ "full-name": `Olga ${mark}`, "occupation": "Baker" });
  const list = await as("secretary", "about:blank");
  const record = await as("administrator", "about:blank");
  await openLive(list, `/people?q=${mark}`);
  await openLive(record, `/people/${person.id}`);
  await expect(list.getByRole("link", { name: `Olga ${mark}` })).toBeVisible();
  await expect(record.getByText("Baker")).toBeVisible();

  await office.people.update(person.id, {
    "full-name": `Olívia ${mark}`,
    "occupation": "Nurse",
  });
  await expect(list.getByRole("link", { name: `Olívia ${mark}` })).toBeVisible();
  await expect(record.getByRole("heading", { name: `Olívia ${mark}` })).toBeVisible();
  await expect(record.getByText("Nurse")).toBeVisible();

  await office.people.create({ "full-name": `Paulo ${mark}` });
  await expect(list.getByRole("link", { name: `Paulo ${mark}` })).toBeVisible();
  await office.people.delete(person.id);
  await expect(list.getByRole("link", { name: `Olívia ${mark}` })).toBeHidden();
  await expect(record.getByRole("heading", { name: `Olívia ${mark}` })).toBeHidden();
});

test("sees in the form what a colleague changed, takes it over, and saves both", async ({
  as,
  office,
}) => {
  const person = await office.people.create({
    "full-name": `Rosa ${unique()}`,
    "occupation": "Baker",
  });
  const page = await as("secretary", "about:blank");
  await openLive(page, `/people/${person.id}`);
  const card = cardOf(page, "Personal");
  await card.getByRole("button", { name: "Edit" }).click();
  // The card is longer than the window.
  await expect(card.getByRole("button", { name: "Save" })).toBeInViewport();
  await expect(card.getByRole("group", { name: "Birthday" })).toBeVisible();
  const occupation = card.getByRole("textbox", { name: "Occupation" });
  await card.getByRole("textbox", { name: "Called" }).fill("Rosinha");

  await office.people.update(person.id, { occupation: "Nurse" });
  await expect(card.getByRole("status")).toHaveText(
    /Ana Beatriz Oliveira changed Occupation. The form has the new value./,
  );
  await expect(occupation).toHaveValue("Nurse");
  await card.getByRole("button", { name: "Show" }).click();
  await expect(occupation).toBeFocused();

  await occupation.fill("Teacher");
  await office.people.update(person.id, { occupation: "Doctor" });
  await expect(card.getByRole("status")).toHaveText(
    /Ana Beatriz Oliveira also changed Occupation./,
  );
  await expect(occupation).toHaveValue("Teacher");
  await card.getByRole("button", { name: "Take over" }).click();
  await expect(occupation).toHaveValue("Doctor");

  await card.getByLabel("Marital status").selectOption("Single");
  await office.people.update(person.id, { "marital-status": "widowed" });
  await expect(card.getByRole("status")).toHaveText(/also changed Marital status./);
  await card.getByRole("button", { name: "Show" }).click();
  const question = page.getByRole("alertdialog", { name: "A colleague changed this, too" });
  // It has the words of the choices.
  await expect(question.getByRole("group", { name: "Marital status" })).toHaveText(
    /Widowed your colleague's\s*Single yours/,
  );
  await question.getByRole("button", { name: "Save" }).click();
  await expect(card.getByText("Rosinha")).toBeVisible();
  const stored = await office.people.get(person.id);
  expect([stored["preferred-name"], stored.occupation, stored["marital-status"]]).toEqual([
    "Rosinha",
    "Doctor",
    "widowed",
  ]);
});

test("sees a colleague's change half a minute later while there is no stream of changes", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/net::ERR_FAILED/);
  const mark = unique();
  const person = await office.people.create({ "full-name": `Sara ${mark}` });
  const page = await as("secretary", "about:blank");
  await page.clock.install();
  await withoutStream(page);
  const asked = page.waitForRequest(/changes\/stream/);
  await page.goto(`/people?q=${mark}`);
  await expect(page.getByRole("link", { name: `Sara ${mark}` })).toBeVisible();
  await asked;
  await office.people.update(person.id, { "full-name": `Sílvia ${mark}` });
  await page.clock.fastForward(31_000);
  await expect(page.getByRole("link", { name: `Sílvia ${mark}` })).toBeVisible();
});
