import type { Page } from "@playwright/test";
import type { Vestry } from "@vestry/sdk";
import { makeGroup, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

async function membersOf(office: Vestry, cell: string) {
  const { items } = await office.cellMemberships.page({
    filter: { cell: [cell], status: ["active"] },
    include: ["person"],
    fields: { "cell-memberships": ["cell-role", "joined-on"], "people": ["full-name"] },
    page: { size: 100 },
  });
  return items
    .map((one) => [one.person?.["full-name"], one["cell-role"], one["joined-on"]].join(" "))
    .sort();
}

async function choose(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole("dialog").getByLabel(label, { exact: true }).fill(name);
  await page.getByRole("option", { name }).click();
}

test("puts a person into a group from the page of the person, and more of them from a selection", async ({
  as,
  expectMessage,
  office,
}) => {
  // The person who is in the group already.
  expectMessage(/409 \(Conflict\)/);
  const mark = unique();
  const [first, second, third] = await Promise.all(
    ["Aida", "Belmiro", "Célia"].map((one) =>
      office.people.create({ "full-name": `${one} ${mark}` }),
    ),
  );
  const cell = await office.cells.create({ name: `Group ${mark}` });
  const elsewhere = await office.cells.create({ name: `Elsewhere ${mark}` });
  await office.cellMemberships.create({
    "cell": elsewhere,
    "person": third ?? "",
    "cell-role": "participant",
  });

  const page = await as("secretary", `/people/${first?.id}?tab=groups`);
  const name = first?.["full-name"] ?? "";
  await expect(page.getByRole("heading", { name: `${name} is in no group yet` })).toBeVisible();
  await page.getByRole("button", { name: "Add to a group" }).click();
  await choose(page, "House group", cell.name);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText(`${name} is now in ${cell.name}`)).toBeVisible();
  await expect(page.getByRole("link", { name: cell.name })).toBeVisible();

  await page.goto(`/people?q=${mark}`);
  const row = page.locator('[data-index="0"]');
  await row.hover();
  await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: /^Select all/ }).click();
  await page.getByRole("button", { name: "Add to a group" }).click();
  await choose(page, "House group", cell.name);
  await page.getByRole("dialog").getByLabel("Role").selectOption("Visitor of the group");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const rest = page.getByRole("alertdialog");
  await expect(rest).toContainText("2 people were added.");
  await expect(rest).toContainText(`In the group already: ${name}`);
  await rest.getByRole("button", { name: "Done" }).click();
  await expect(rest).toBeHidden();
  expect((await membersOf(office, cell.id)).map((one) => one.replace(/ \S+$/, ""))).toEqual([
    `${name} participant`,
    `${second?.["full-name"]} visitor`,
    `${third?.["full-name"]} visitor`,
  ]);
});

test("transfers members to another group and takes that back", async ({ as, office }) => {
  const group = await makeGroup(office);
  const target = await office.cells.create({ name: `Target ${unique()}` });
  const before = await membersOf(office, group.id);
  const page = await as("secretary", `/cells/${group.id}`);
  await page.getByRole("button", { name: "Transfer members" }).click();
  const names = [...group.members.values()].slice(1, 3);
  for (const name of names) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: "Transfer to …" }).click();
  await choose(page, "To", target.name);
  await page.getByRole("button", { name: "Transfer", exact: true }).click();
  const toast = page.getByText(`Transferred to ${target.name}`);
  await expect(toast).toBeVisible();
  await expect.poll(() => membersOf(office, target.id)).toHaveLength(2);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Taken back")).toBeVisible();
  for (const name of names)
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  expect(await membersOf(office, group.id)).toEqual(before);
  expect(await membersOf(office, target.id)).toEqual([]);
});
