import type { Vestry } from "@vestry/sdk";
import type { Page } from "@playwright/test";
import { unique } from "../../church.ts";
import { expect, test, withoutStream } from "../../bed.ts";

async function makeHousehold(office: Vestry) {
  const mark = unique();
  const household = await office.households.create({ name: `Family ${mark}` });
  const person = await office.people.create({ "full-name": `Tomás ${mark}` });
  const member = await office.householdMemberships.create({
    household,
    person,
    "household-role": "child",
  });
  const stored = async () => {
    const { "household-role": role, "may-pick-up": pickUp } = await office.householdMemberships.get(
      member.id,
    );
    return { role, pickUp };
  };
  return { household, member, name: person["full-name"], mark, stored };
}

async function openPlace(page: Page, name: string) {
  await page.getByRole("button", { name: `More about ${name}` }).click();
  await page.getByRole("menuitem", { name: "Change the place" }).click();
  return page.getByRole("dialog", { name });
}

test("changes the place of a member, while a colleague changes who may pick up the children, and both stay", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/409 \(Conflict\)|net::ERR_FAILED/);
  const { household, member, name, stored } = await makeHousehold(office);
  const page = await as("secretary", "about:blank");
  // The form learns of the colleague's change when it is saved.
  await withoutStream(page);
  await page.goto(`/households/${household.id}`);
  const dialog = await openPlace(page, name);
  await dialog.getByLabel("Place in the household").selectOption("dependent");
  await office.householdMemberships.update(member.id, { "may-pick-up": "no" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. A colleague changed other parts of this")).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await stored()).toEqual({ role: "dependent", pickUp: "no" });
});

test("a place that a colleague changed, too, is a question, and the colleague's stays unless the secretary decides", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/409 \(Conflict\)|net::ERR_FAILED/);
  const { household, member, name, stored } = await makeHousehold(office);
  const page = await as("secretary", "about:blank");
  // The form learns of the colleague's change when it is saved.
  await withoutStream(page);
  await page.goto(`/households/${household.id}`);
  const dialog = await openPlace(page, name);
  await dialog.getByLabel("Place in the household").selectOption("dependent");
  await office.householdMemberships.update(member.id, { "household-role": "spouse" });
  await dialog.getByRole("button", { name: "Save" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("group", { name: "Place in the household" })).toBeVisible();
  await expect(question.getByRole("radio", { checked: true })).toHaveAccessibleName(
    /^Spouse .*colleague/,
  );
  expect((await stored()).role).toBe("spouse");
  await question.getByRole("radio", { name: /^Dependent/ }).check();
  await question.getByRole("button", { name: "Save" }).click();
  await expect(question).toBeHidden();
  await expect(dialog).toBeHidden();
  expect((await stored()).role).toBe("dependent");
});

test("adds a member, and takes out a member whom a colleague has changed only after reading the change", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/409 \(Conflict\)|422 \(Unprocessable|net::ERR_FAILED/);
  const { household, mark, member, name } = await makeHousehold(office);
  const guest = await office.people.create({ "full-name": `Guest ${mark}` });
  const page = await as("secretary", "about:blank");
  await withoutStream(page);
  await page.goto(`/households/${household.id}`);
  await page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: /^Members/ }) })
    .getByRole("button", { name: "Add" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Add a member" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Person")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Person").fill(guest["full-name"]);
  await page.getByRole("option", { name: guest["full-name"] }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("link", { name: guest["full-name"] })).toBeVisible();

  await office.householdMemberships.update(member.id, { "household-role": "spouse" });
  const takeOut = async () => {
    await page.getByRole("button", { name: `More about ${name}` }).click();
    await page.getByRole("menuitem", { name: "Take out of the household" }).click();
  };
  await takeOut();
  await expect(page.getByText("Spouse")).toBeVisible();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await takeOut();
  await expect(page.getByRole("link", { name })).toBeHidden();
});
