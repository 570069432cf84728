import { LEADERS_PHONE, makeGroup, makeHolder, makeNetwork, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("accepts a request to join", async ({ as, office }) => {
  const { group, login } = await makeNetwork(office);
  const name = `Vera ${unique()}`;
  await office.cellJoinRequests.create({
    cell: group.id,
    message: "May I come?",
    contact: { "full-name": name, "phone": "+351911111111" },
  });
  const page = await as(login);
  const line = page.getByRole("listitem").filter({ hasText: name });
  await line.getByRole("button", { name: "Decide" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("May I come?")).toBeVisible();
  await dialog.getByRole("button", { name: "Accept" }).click();
  await expect(dialog).toBeHidden();
  await expect(line).toBeHidden();
  await expect(page.getByText(`${name} is now in ${group.name}`)).toBeVisible();
  await expect(page.getByRole("link", { name: "See the group" })).toHaveAttribute(
    "href",
    `/cells/${group.id}`,
  );
  await page.getByRole("link", { name: "See the person" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

  const { items } = await office.cellMemberships.page({
    filter: { cell: [group.id], status: ["active"] },
    include: ["person"],
    fields: { people: ["full-name"] },
    page: { size: 100 },
  });
  expect(items.map(({ person }) => person?.["full-name"])).toContain(name);
});

test("a secretary who leads a group decides its requests, and for another group writes to its leader", async ({
  as,
  office,
}) => {
  const [{ login, person }, own, other] = await Promise.all([
    makeHolder(office, "secretary"),
    makeGroup(office),
    makeGroup(office),
  ]);
  await office.cellMemberships.create({ "cell": own.id, person, "cell-role": "co-leader" });
  const name = `Vitor ${unique()}`;
  for (const cell of [own.id, other.id])
    await office.cellJoinRequests.create({
      cell,
      contact: { "full-name": name, "phone": "+351911111112" },
    });
  const page = await as(login, "/inbox");
  const lineOf = (group: string) =>
    page.getByRole("listitem").filter({ hasText: name }).filter({ hasText: group });
  await expect(lineOf(own.name).getByRole("button", { name: /^Decide/ })).toBeVisible();

  const line = lineOf(other.name);
  const leader = other.members.get(other.leader) ?? "";
  await expect(line.getByText(`${leader} can decide`)).toBeVisible();
  await expect(line.getByRole("link", { name: `Write to ${leader}` })).toHaveAttribute(
    "href",
    `https://wa.me/${LEADERS_PHONE.slice(1)}`,
  );
  await expect(line.getByRole("button")).toHaveCount(0);
});

test("approves the multiplication of a group", async ({ as, office }) => {
  const { group, login } = await makeNetwork(office);
  const going = [...group.members.keys()].slice(7);
  const name = `Daughter ${unique()}`;
  await office.cellMultiplications.create({
    "parent-cell": group.id,
    "new-cell": { name },
    "members": going,
    "leaders": going.slice(0, 1),
    "note": "They live nearby.",
  });
  const page = await as(login);
  await page.getByRole("listitem").filter({ hasText: name }).getByRole("link").first().click();
  await expect(page.getByText("They live nearby.")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

  const { items } = await office.cells.page({
    filter: { name },
    fields: { cells: ["members-count", "parent"] },
  });
  expect(items.map((cell) => cell["members-count"])).toEqual([going.length]);
});
