import { invite, makeGroup, reportOf } from "../../church.ts";
import { expect, logIn, NO_USERNAME, test } from "../../bed.ts";
import { PASSWORD } from "../../service.ts";

test.use({ serviceWorkers: "allow" });

test("opens the link of an invitation, sets a password, logs in, can install the app and reports", async ({
  device,
  expectMessage,
  office,
}) => {
  expectMessage(NO_USERNAME);
  const group = await makeGroup(office);
  const { email } = await office.people.get(group.leader, { fields: { people: ["email"] } });
  const { link } = await invite(office, group.leader);
  const page = await device();
  await page.goto(link);
  const field = page.getByLabel("New password");
  await field.fill("12345678");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(field).toHaveAccessibleDescription(/Many people use this password/);
  await expect(field).toBeFocused();
  await field.fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("link", { name: "Log in" }).click();
  const login = { username: email ?? "", password: PASSWORD, account: "demo" };
  await logIn(page.locator("body"), login);
  await expect(page.getByRole("link", { name: "Report now" })).toBeVisible();

  // Only the person can install the app. Chromium says whether it would offer that.
  const browser = await page.context().newCDPSession(page);
  expect(await browser.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });
  expect(await browser.send("Page.getAppManifest")).toMatchObject({
    url: new URL("/manifest.webmanifest", page.url()).href,
    errors: [],
  });

  await page.getByRole("link", { name: "Report now" }).click();
  await page.getByRole("button", { name: "All came" }).click();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText(/^Sent /)).toBeVisible();
  expect(await reportOf(office, group.meeting)).toMatchObject({ present: 13, absent: 0 });
});
