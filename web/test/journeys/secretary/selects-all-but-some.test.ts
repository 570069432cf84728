import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { expect, test } from "../../bed.ts";

const row = (page: Page, index: number) => page.locator(`[data-index="${index}"]`);
const nameIn = (page: Page, index: number) => row(page, index).locator("a bdi").first().innerText();

/** Begins the selection with its first row. */
async function selectFirst(page: Page): Promise<void> {
  await expect(row(page, 0).locator("a")).not.toHaveCount(0);
  if ((page.viewportSize()?.width ?? 0) < 768) {
    await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Select" }).click();
  } else await row(page, 0).hover();
  await row(page, 0).getByRole("checkbox").check();
}

// More people than one request reads.
const PATH = "/people?status=former-member";

test("selects all, unticks two, and saves and prints all but these", async ({ as }) => {
  const page = await as("of 5,000", PATH);
  await selectFirst(page);
  const all = page.getByRole("button", { name: /^Select all/ });
  const total = Number((await all.innerText()).replace(/\D/g, ""));
  expect(total).toBeGreaterThan(100);
  const top = await row(page, 1).boundingBox();
  await all.click();
  const status = page.getByRole("status");
  await expect(status.filter({ hasText: `${total} selected` })).toBeVisible();
  // The rows stay where they are, so that the next tick meets the right one.
  expect((await row(page, 1).boundingBox())?.y).toBe(top?.y);

  const out = [await nameIn(page, 1), await nameIn(page, 3)];
  await row(page, 1).getByRole("checkbox").uncheck();
  await row(page, 3).getByRole("checkbox").uncheck();
  await expect(row(page, 0).getByRole("checkbox")).toBeChecked();
  await expect(status.filter({ hasText: `${total - 2} selected` })).toBeVisible();
  await expect(all).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV file" }).click();
  const bytes = await readFile(await (await download).path());
  const saved = parse(bytes, { bom: true, delimiter: ";", from: 2 }).map(([name]) => name);
  expect(saved).toHaveLength(total - 2);
  const kept = await nameIn(page, 0);
  expect(saved[0]).toBe(kept);
  expect(saved[1]).toBe(await nameIn(page, 2));

  await page.getByRole("button", { name: "Print" }).click();
  const main = page.getByRole("main");
  await expect(main).toContainText(`${total - 2} people`);
  await expect(main).toContainText("2 people left out");
  const printed = page.getByRole("row");
  await expect(printed).toHaveCount(total - 2 + 1);
  await expect(printed.nth(1)).toContainText(kept);
  // Two people can have one name, so the rows count.
  for (const name of out)
    await expect(page.getByRole("cell", { name, exact: true })).toHaveCount(
      saved.filter((one) => one === name).length,
    );
});

test("a row that is unticked and ticked again belongs to all, and another list has no selection", async ({
  as,
}) => {
  const page = await as("of 5,000", PATH);
  await selectFirst(page);
  const all = page.getByRole("button", { name: /^Select all/ });
  await all.click();
  await row(page, 2).getByRole("checkbox").uncheck();
  await expect(all).toBeVisible();
  await row(page, 2).getByRole("checkbox").check();
  await expect(all).toBeHidden();
  await expect(page.getByRole("button", { name: "Cancel selection" })).toBeVisible();
  await page.getByRole("link", { name: "Missing", exact: true }).click();
  await expect(page.getByRole("button", { name: "Cancel selection" })).toBeHidden();
});
