import { expect, test } from "../../bed.ts";
import { letIn, makeGroup, reportOf } from "../../church.ts";

test("reports from a browser that stores nothing, and is told to keep the page open", async ({
  as,
  office,
}) => {
  const group = await makeGroup(office);
  const page = await as(await letIn(office, group.leader), "/me");
  await page.addInitScript(() =>
    Object.defineProperty(window, "indexedDB", {
      get() {
        throw new DOMException("The storage is denied.", "SecurityError");
      },
    }),
  );
  await page.goto(`/cells/${group.id}/meetings/${group.meeting}`);
  await page.getByRole("button", { name: "All came" }).click();
  const warning = page.getByText(/Keep this page open until the report is sent/);
  await expect(warning).toBeVisible();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText(/^Sent /)).toBeVisible();
  await expect(warning).toBeHidden();
  expect(await reportOf(office, group.meeting)).toMatchObject({ present: 13, absent: 0 });
});
