import { makeHolder, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("a right is taken away while a form is open: the page says so, and the menu follows", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/403 \(Forbidden\)/);
  const { assignment, login } = await makeHolder(office, "secretary");
  const page = await as(login, "/people/new");
  await page.getByLabel("Full name").fill(`Rute ${unique()}`);
  await office.roleAssignments.delete(assignment);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("You may not see this page.")).toBeVisible();
});
