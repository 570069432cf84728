import { letIn, makeGroup, reportOf, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("reports 13 people, two of them missing and one excused, with two visitors, in 12 taps; then corrects one", async ({
  as,
  office,
}) => {
  const group = await makeGroup(office);
  const [missing = "", alsoMissing = "", excused = ""] = [...group.members.values()].slice(1);
  const visitors = [`Olga ${unique()}`, `Paulo ${unique()}`];
  const page = await as(await letIn(office, group.leader));

  let taps = 0;
  const press = async (name: string | RegExp, within = page.locator("body")) => {
    taps++;
    await within.getByRole("button", { name, exact: true }).click();
  };
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });

  taps++;
  await page.getByRole("link", { name: "Report now" }).click();
  await press("All came");
  await press(missing);
  await press(alsoMissing);
  await press(excused);
  await press("Excused", row(excused));
  await press("Add a visitor");
  for (const visitor of visitors) {
    await page.getByLabel("Name", { exact: true }).fill(visitor);
    await page.keyboard.press("Enter");
    await expect(page.getByText(visitor)).toBeVisible();
  }
  await expect(page.getByText("10 of 13 came")).toBeVisible();
  await expect(page.getByText("2 visitors · 1 excused · 2 missing")).toBeVisible();
  await press("Send report");
  await expect(page.getByText(/^Sent /)).toBeInViewport();
  expect(taps).toBeLessThanOrEqual(12);
  expect(await reportOf(office, group.meeting)).toEqual({
    present: 12,
    absent: 2,
    excused: 1,
    visitors: expect.arrayContaining(visitors),
  });

  await page.getByRole("button", { name: "Correct" }).click();
  await page.getByRole("button", { name: missing, exact: true }).click();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("11 of 13 came")).toBeVisible();
  await expect
    .poll(() => reportOf(office, group.meeting))
    .toMatchObject({ present: 13, absent: 1, excused: 1 });
});
