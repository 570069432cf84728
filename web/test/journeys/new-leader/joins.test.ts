import { invite, makeGroup, reportOf } from "../../church.ts";
import { expect, NO_USERNAME, test } from "../../bed.ts";
import { PASSWORD } from "../../service.ts";

test("opens the link of an invitation, sets a password, logs in and reports", async ({
  expectMessage,
  office,
  stranger,
}) => {
  expectMessage(NO_USERNAME);
  const group = await makeGroup(office);
  const { email } = await office.people.get(group.leader, { fields: { people: ["email"] } });
  const { link } = await invite(office, group.leader);
  const page = await stranger(link);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("E-mail").fill(email ?? "");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();

  await page.getByRole("link", { name: "Report now" }).click();
  await page.getByRole("button", { name: "All came" }).click();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText(/^Sent /)).toBeVisible();
  expect(await reportOf(office, group.meeting)).toMatchObject({ present: 13, absent: 0 });

  const manifest = await page.locator("link[rel=manifest]").getAttribute("href");
  expect(await (await page.request.get(manifest ?? "")).json()).toMatchObject({
    display: "standalone",
    start_url: "/",
  });
});
