import { letIn, makeGroup, makePerson, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("sees the own groups and the own record, and nothing else", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/(403 \(Forbidden\)|404 \(Not Found\))/);
  const group = await makeGroup(office);
  const person = await makePerson(office, `Mia ${unique()}`);
  await office.cellMemberships.create({ "cell": group.id, person, "cell-role": "participant" });
  const page = await as(await letIn(office, person.id));
  await expect(page.getByRole("link", { name: `See ${group.name}` })).toBeVisible();
  const sections = page.getByRole("navigation", { name: "Main" });
  await expect(sections.getByRole("link", { name: "People" })).toHaveCount(0);

  await page.getByRole("link", { name: "My record" }).click();
  await expect(page.getByRole("heading", { level: 1, name: person["full-name"] })).toBeVisible();
  // The list of people is closed to members.
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Me" })).toBeVisible();
  await expect(page.getByRole("heading", { name: person["full-name"] })).toBeVisible();
  for (const path of [`/people/${group.leader}`, `/cells/${group.id}/meetings/${group.meeting}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(/not here|not yours to see|may not see/i).first()).toBeVisible();
  }
  await page.goto("/people/new");
  await expect(page.getByText("You may not see this page.")).toBeVisible();
});
