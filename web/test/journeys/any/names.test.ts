import { expect, test } from "../../bed.ts";
import { day, makeGroup, unique } from "../../church.ts";

const HOSTILE = `<script>alert(1)</script> <0/> "Ana" & {0}`;

test("a name with tags and braces is shown as it is, wherever it stands", async ({
  as,
  office,
}) => {
  const group = await makeGroup(office);
  const name = `${HOSTILE} ${unique()}`;
  await office.people.update(group.leader, { "full-name": name });
  await office.cells.update(group.id, { name });
  const page = await as("secretary", `/people/${group.leader}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.goto(`/people?q=${encodeURIComponent(name)}`);
  await expect(page.getByRole("link", { name }).first()).toBeVisible();

  await page.goto(`/cells/${group.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.getByRole("button", { name: `More about ${name}` }).click();
  await page.getByRole("menuitem", { name: "End the membership" }).click();
  const end = page.getByRole("alertdialog");
  await expect(end).toHaveAccessibleName(`End the membership of ${name} in ${name}`);
});

test("names of the longest kind without a space make no page scroll sideways, also at 400 % zoom", async ({
  as,
  office,
}) => {
  const group = await makeGroup(office);
  const tag = await office.tags.create({ name: unique() + "W".repeat(52) });
  await office.people.update(group.leader, { "full-name": "W".repeat(255), "tags": [tag] });
  const household = await office.households.create({
    "name": "W".repeat(200),
    "primary-contact": group.leader,
  });
  await office.notes.create({
    "about": { id: group.leader, $type: "people" },
    "text": "W".repeat(300),
    "kind": "W".repeat(40),
    "follow-up-on": day(0),
  });
  await office.cells.update(group.id, { name: "M".repeat(120) });
  const page = await as("secretary");
  await page.setViewportSize({ width: 320, height: 205 });
  for (const path of [
    "/",
    `/people?tag=${tag.id}`,
    `/people/${group.leader}`,
    `/people/${group.leader}?tab=notes`,
    `/households/${household.id}`,
    "/notes",
    `/print/people?tag=${tag.id}`,
    `/cells/${group.id}`,
    `/cells/${group.id}/meetings/${group.meeting}`,
    `/print/cells/${group.id}`,
    "/cells?view=tree",
  ]) {
    await page.goto(path);
    await expect(page.getByText(/WWW|MMM/).first()).toBeVisible();
    const room = await page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      return clientWidth - scrollWidth;
    });
    expect(room, path).toBe(0);
  }
});
