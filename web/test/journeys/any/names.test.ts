import { expect, test } from "../../bed.ts";
import { makeGroup, unique } from "../../church.ts";

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

test("a name of 255 letters without a space makes no page scroll sideways, also at 400 % zoom", async ({
  as,
  office,
}) => {
  const group = await makeGroup(office);
  await office.people.update(group.leader, { "full-name": "W".repeat(255) });
  await office.cells.update(group.id, { name: "M".repeat(120) });
  const page = await as("secretary");
  await page.setViewportSize({ width: 320, height: 205 });
  for (const path of [
    `/people/${group.leader}?tab=notes`,
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
