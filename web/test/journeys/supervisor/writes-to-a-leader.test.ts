import type { Locator } from "@playwright/test";
import { day, LEADERS_PHONE, makeNetwork } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("gets from a group that owes two reports to the WhatsApp of its leader in two taps", async ({
  as,
  office,
}) => {
  const { group, login } = await makeNetwork(office);
  for (const offset of [-8, -15])
    await office.cellMeetings.create({ cell: group.id, date: day(offset) });
  // The report of yesterday may not be overdue yet.
  await office.cellMeetings.update(group.meeting, { status: "cancelled" });
  const page = await as(login);
  const line = page.getByRole("listitem").filter({ hasText: group.name });
  await expect(line.getByText("2 reports")).toBeVisible();
  const leader = group.members.get(group.leader) ?? "";
  // The link is the first tap, and the browser opens WhatsApp.
  const hrefOf = async (link: Locator) => new URL((await link.getAttribute("href")) ?? "");
  const link = await hrefOf(line.getByRole("link", { name: `Write to ${leader}` }));
  expect(link.origin + link.pathname).toBe(`https://wa.me/${LEADERS_PHONE.slice(1)}`);
  const text = link.searchParams.get("text") ?? "";
  expect(text).toContain(`2 reports of ${group.name} are missing`);
  expect(text).toContain(`/cells/${group.id}?tab=meetings`);

  // The list has the same message, for this group and for all.
  await page
    .locator("section")
    .filter({ hasText: "Reports to chase" })
    .getByRole("link", { name: "All", exact: true })
    .click();
  const row = page.locator("[data-index]").filter({ hasText: group.name });
  const inRow = await hrefOf(row.getByRole("link", { name: `Write to ${leader}` }));
  expect(inRow.href).toBe(link.href);
  await page.getByRole("button", { name: "Remind 1 leader" }).click();
  const inDialog = page
    .getByRole("dialog")
    .getByRole("link", { name: `Write to ${leader}, ${group.name}` });
  expect((await hrefOf(inDialog)).href).toBe(link.href);
  await page.getByRole("button", { name: "Done" }).click();

  await page.goto("/cells?view=tree");
  const branch = page.getByRole("treeitem").filter({ hasText: group.name });
  await expect(branch).toContainText(`${leader} · 13 members`);
  await expect(branch).toContainText("Overdue");
});
