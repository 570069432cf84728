import { invite, makeGroup, reportOf } from "../../church.ts";
import { expect, test } from "../../bed.ts";
import { PASSWORD } from "../../service.ts";

test.use({ serviceWorkers: "allow" });

test("opens the link of an invitation, sets a password and is logged in, can install the app, walks out of the network and reports", async ({
  device,
  expectMessage,
  office,
}) => {
  expectMessage(/net::ERR_INTERNET_DISCONNECTED/);
  const group = await makeGroup(office);
  const { email } = await office.people.get(group.leader, { fields: { people: ["email"] } });
  const { link } = await invite(office, group.leader);
  const page = await device();
  await page.goto(link);
  await expect(page.getByLabel("E-mail")).toHaveValue(email ?? "");
  const field = page.getByLabel("New password");
  await field.fill("12345678");
  await page.getByRole("button", { name: "Set the password and log in" }).click();
  await expect(field).toHaveAccessibleDescription(/Many people use this password/);
  await expect(field).toBeFocused();
  await field.fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password and log in" }).click();
  await expect(page.getByRole("link", { name: "Report now" })).toBeVisible();

  // Only the person can install the app. Chromium says whether it would offer that.
  const browser = await page.context().newCDPSession(page);
  expect(await browser.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });
  expect(await browser.send("Page.getAppManifest")).toMatchObject({
    url: new URL("/manifest.webmanifest", page.url()).href,
    errors: [],
  });

  // The group is on the phone, and so are the screens that were never opened.
  await page.waitForFunction(() => localStorage.getItem("vestry.sheets-kept") !== null);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Report now" }).click();
  await page.getByRole("button", { name: "All came" }).click();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText(/Waiting for connection/)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/^Sent /)).toBeVisible();
  expect(await reportOf(office, group.meeting)).toMatchObject({ present: 13, absent: 0 });
});

test("a link names the church of the service in the language of the browser, and no text of its own", async ({
  bench,
  expectMessage,
  office,
}) => {
  expectMessage(/422 \(Unprocessable/);
  const group = await makeGroup(office);
  const { link } = await invite(office, group.leader);
  const { "church-name": church } = await office.accounts.get("me");
  const forged = `${link.replace(/&account=[^&]+/, "")}&account=Call+this+number`;
  const page = await bench.open(forged, { locale: "es-ES" });
  await expect(page.getByRole("heading", { name: "Elige una contraseña" })).toBeVisible();
  await expect(page.getByText(church)).toBeVisible();
  await expect(page.getByText("Call this number")).toHaveCount(0);

  await page.goto("about:blank");
  await page.goto(`${link.replace(/token=[^&]+/, "token=used")}`);
  await expect(page.getByText("Este enlace ya no funciona")).toBeVisible();
});
