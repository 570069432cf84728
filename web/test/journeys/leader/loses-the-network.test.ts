import { letIn, makeGroup, reportOf, unique } from "../../church.ts";
import { expect, logIn, NO_SESSION, test } from "../../bed.ts";

test.use({ serviceWorkers: "allow" });

test("loses the network in the middle of a report, closes the browser and comes back: one report arrives, with the right numbers", async ({
  device,
  expectMessage,
  office,
}) => {
  expectMessage(NO_SESSION);
  expectMessage(/net::ERR_INTERNET_DISCONNECTED/);
  const group = await makeGroup(office);
  const [missing = "", excused = ""] = [...group.members.values()].slice(1);
  const visitor = `Olga ${unique()}`;
  const path = `/cells/${group.id}/meetings/${group.meeting}`;
  const page = await device();
  await page.goto("/");
  await page.getByLabel("Keep me logged in on this device").check();
  await logIn(page.locator("body"), await letIn(office, group.leader));
  // The app without a network is what the service worker kept.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.getByRole("link", { name: "Report now" }).click();
  await page.getByRole("button", { name: "All came" }).click();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: missing, exact: true }).click();
  await expect(page.getByText("12 of 13 came")).toBeVisible();
  await page.context().close();

  const again = await device();
  await again.context().setOffline(true);
  await again.goto(path);
  await expect(again.getByText("12 of 13 came")).toBeVisible();
  await again.getByRole("button", { name: excused, exact: true }).click();
  const row = again.getByRole("listitem").filter({ hasText: excused });
  await row.getByRole("button", { name: "Excused" }).click();
  await again.getByRole("button", { name: "Add a visitor" }).click();
  await again.getByLabel("Name", { exact: true }).fill(visitor);
  await again.getByRole("button", { name: "Add", exact: true }).click();
  await again.getByRole("button", { name: "Send report" }).click();
  await expect(again.getByText(/^Saved on this phone at .* Waiting for connection/)).toBeVisible();
  await again.context().close();
  expect(await reportOf(office, group.meeting)).toMatchObject({ present: 0, visitors: [] });

  const home = await device();
  const sent: string[] = [];
  home.context().on("request", (request) => {
    if (request.method() === "PATCH") sent.push(request.url());
  });
  await home.goto("/");
  await expect
    .poll(() => reportOf(office, group.meeting))
    .toEqual({ present: 12, absent: 1, excused: 1, visitors: [visitor] });
  // A page that is left before it has the answer would send the report again.
  await expect(home.getByText(/saved on this device and waits/)).toBeHidden();
  await home.goto(path);
  await expect(home.getByText(/^Sent /)).toBeVisible();
  await expect(home.getByText("11 of 13 came")).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("the session ends in the middle of a report: it is sent with the log-in, and without one nothing can be read", async ({
  device,
  expectMessage,
  office,
}) => {
  expectMessage(/401 \(Unauthorized\)|net::ERR_INTERNET_DISCONNECTED|could not be reached/);
  const group = await makeGroup(office);
  const [, missing = ""] = [...group.members.values()];
  const path = `/cells/${group.id}/meetings/${group.meeting}`;
  const login = await letIn(office, group.leader);
  const page = await device();
  await page.goto(`/login?to=${path}`);
  await page.getByLabel("Keep me logged in on this device").check();
  await logIn(page.locator("body"), login);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.getByRole("button", { name: "All came" }).click();
  await office.accessTokenRevocations.create({ person: group.leader });
  await page.getByRole("button", { name: "Send report" }).click();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByLabel("Keep me logged in on this device").check();
  await logIn(dialog, login);
  await expect(page.getByText(/^Sent /)).toBeVisible();

  await page.getByRole("button", { name: "Correct" }).click();
  await page.getByRole("button", { name: missing, exact: true }).click();
  await office.accessTokenRevocations.create({ person: group.leader });
  await page.goto(path);
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await page.context().setOffline(true);
  await page.goto(path);
  await expect(page.getByText(/^No connection/)).toBeVisible();
  await expect(page.getByText(missing)).toHaveCount(0);
  await page.context().setOffline(false);
  await logIn(page.locator("body"), login);
  await expect(page.getByText("12 of 13 came")).toBeVisible();

  await page.goto("/me");
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByText("1 report was begun on this device and not sent.")).toBeVisible();
});

test("a session that is not kept leaves nothing to read after the browser was closed", async ({
  device,
  expectMessage,
  office,
}) => {
  expectMessage(NO_SESSION);
  expectMessage(/net::ERR_INTERNET_DISCONNECTED|could not be reached/);
  const group = await makeGroup(office);
  const [, name = ""] = [...group.members.values()];
  const path = `/cells/${group.id}/meetings/${group.meeting}`;
  const page = await device();
  await page.goto(`/login?to=${path}`);
  await logIn(page.locator("body"), await letIn(office, group.leader));
  const row = page.getByRole("button", { name, exact: true });
  await expect(row).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.goto(path);
  await expect(row).toBeVisible();
  await page.context().close();

  const again = await device();
  await again.context().setOffline(true);
  await again.goto(path);
  await expect(again.getByText(/^No connection/)).toBeVisible();
  await expect(again.getByText(name)).toHaveCount(0);
  const readKept = () =>
    again.evaluate(async () => {
      const request = indexedDB.open("vestry");
      await new Promise((resolve) => (request.onsuccess = resolve));
      const sheets = request.result.transaction("sheets").objectStore("sheets").count();
      await new Promise((resolve) => (sheets.onsuccess = resolve));
      return [sheets.result, localStorage.getItem("vestry.session")];
    });
  await expect.poll(readKept).toEqual([0, "null"]);
});
