import { makeHolder, makePerson, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("a right is taken away while a new record is typed: the form says so and keeps the text, and the menu follows", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/403 \(Forbidden\)/);
  const { assignment, login } = await makeHolder(office, "secretary");
  const page = await as(login, "/people/new");
  const name = `Rute ${unique()}`;
  await page.getByLabel("Full name").fill(name);
  await office.roleAssignments.delete(assignment);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const form = page.locator("main form");
  await expect(form.getByRole("alert")).toHaveText(/You may not do this/);
  await expect(page.getByRole("link", { name: "People", exact: true })).toBeHidden();
  await expect(page.getByLabel("Full name")).toHaveValue(name);

  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You may not see this page.")).toBeVisible();
});

test("a right is taken away while a record is changed: the card says so and keeps the text", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/40[034] \(/);
  const { assignment, login } = await makeHolder(office, "secretary");
  const person = await makePerson(office, `Sónia ${unique()}`);
  const page = await as(login, "about:blank");
  const stream = page.waitForResponse(/changes\/stream/);
  await page.goto(`/people/${person.id}`);
  await stream;
  const card = page.locator("form, section").filter({ hasText: "Occupation" });
  await page.getByRole("heading", { name: "Personal" }).waitFor();
  await page.locator("[data-edit=personal]").click();
  await card.getByLabel("Occupation").fill("Baker");
  await office.roleAssignments.delete(assignment);
  await card.getByRole("button", { name: "Save" }).click();
  await expect(card.getByRole("alert")).toHaveText(/You may not do this|not yours to see/);
  await expect(card.getByLabel("Occupation")).toHaveValue("Baker");
});
