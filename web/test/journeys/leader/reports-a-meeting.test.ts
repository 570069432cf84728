import { letIn, makeGroup, reportOf, unique } from "../../church.ts";
import { expect, test, withoutStream } from "../../bed.ts";

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
  await expect(page.getByRole("group", { name: "Report" })).toBeFocused();
  expect(taps).toBeLessThanOrEqual(12);
  expect(await reportOf(office, group.meeting)).toEqual({
    present: 12,
    absent: 2,
    excused: 1,
    visitors: expect.arrayContaining(visitors),
  });

  await page.getByRole("button", { name: "Correct" }).click();
  await expect(page.getByRole("radio", { name: "Met", exact: true })).toBeFocused();
  await page.getByRole("button", { name: missing, exact: true }).click();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("11 of 13 came")).toBeVisible();
  await expect
    .poll(() => reportOf(office, group.meeting))
    .toMatchObject({ present: 13, absent: 1, excused: 1 });
});

test("the answer to a report is lost, and the sheet cannot be read again: each correction begins with what was sent, and arrives", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/net::ERR_FAILED|409 \(Conflict\)/);
  const group = await makeGroup(office);
  const [first = "", second = ""] = [...group.members.values()].slice(1);
  const visitor = `Olga ${unique()}`;
  const page = await as(await letIn(office, group.leader), "about:blank");
  await withoutStream(page);
  await page.goto(`/cells/${group.id}/meetings/${group.meeting}`);
  await page.getByRole("button", { name: "All came" }).click();
  await page.getByRole("button", { name: "Add a visitor" }).click();
  await page.getByLabel("Name", { exact: true }).fill(visitor);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  let isLost = false;
  await page.route(/\/v1\/cell-(meetings|attendances|memberships)/, async (route) => {
    const isWrite = route.request().method() !== "GET";
    // The outbox compares its report with the one of the service. Every other read fails, also that of the sheet.
    if (!isWrite && isLost) return route.fallback();
    if (!isWrite) return route.abort();
    if (isLost) return route.fallback();
    await route.fetch();
    isLost = true;
    return route.abort();
  });
  const send = page.getByRole("button", { name: "Send report" });
  await send.click();
  await expect(page.getByText(/Waiting for connection/)).toBeVisible();
  expect(await reportOf(office, group.meeting)).toMatchObject({ present: 14, absent: 0 });

  await page.getByRole("button", { name: "Correct" }).click();
  await page.getByRole("button", { name: first, exact: true }).click();
  await send.click();
  await expect(page.getByText(/^Sent /)).toBeVisible();
  await expect(page.getByText("12 of 13 came")).toBeVisible();
  await expect
    .poll(() => reportOf(office, group.meeting))
    .toEqual({ present: 13, absent: 1, excused: 0, visitors: [visitor] });

  await page.unrouteAll();
  await page.route(/\/v1\/cell-(meetings|attendances|memberships)/, (route) =>
    route.request().method() === "GET" ? route.abort() : route.fallback(),
  );
  await page.getByRole("button", { name: "Correct" }).click();
  await page.getByRole("button", { name: second, exact: true }).click();
  await send.click();
  await expect(page.getByText(/^Sent /)).toBeVisible();
  await page.getByRole("button", { name: "Correct" }).click();
  await expect(page.getByText("11 of 13 came")).toBeVisible();
  await expect(page.getByText("1 visitor · 2 missing")).toBeVisible();
  await page.getByRole("button", { name: second, exact: true }).click();
  await send.click();
  await expect
    .poll(() => reportOf(office, group.meeting))
    .toEqual({ present: 13, absent: 1, excused: 0, visitors: [visitor] });
});
