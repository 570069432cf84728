import { expect, test } from "../../bed.ts";
import { letIn, makeGroup, reportOf } from "../../church.ts";

const deny = () =>
  Object.defineProperty(window, "indexedDB", {
    get() {
      throw new DOMException("The storage is denied.", "SecurityError");
    },
  });

const hang = () => {
  IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
};

for (const [what, script] of [
  ["stores nothing", deny],
  ["never answers when something is stored", hang],
] as const)
  test(`reports without a network from a browser that ${what}: it says so, asks before it is closed, and sends`, async ({
    as,
    expectMessage,
    office,
  }) => {
    // Something can still be read in the moment of the log-out.
    expectMessage(/net::ERR_INTERNET_DISCONNECTED|401 \(Unauthorized\)/);
    const group = await makeGroup(office);
    const page = await as(await letIn(office, group.leader), "/me");
    await page.addInitScript(script);
    const background = page.waitForResponse(/\/assets\/background-/);
    await page.goto(`/cells/${group.id}/meetings/${group.meeting}`);
    await background;
    await page.getByRole("button", { name: "All came" }).click();
    const warning = page.getByText(/Keep this page open until the report is sent/);
    await expect(warning).toBeVisible();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Send report" }).click();
    await expect(
      page.getByText(/1 report waits for the connection.* keep this page open/),
    ).toBeVisible();
    await expect(page.getByText(/saved on this/i)).toHaveCount(0);
    const question = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const asked = await question;
    expect(asked.type()).toBe("beforeunload");
    await asked.dismiss();

    await page.context().setOffline(false);
    await expect(page.getByText(/^Sent /)).toBeVisible();
    await expect(warning).toBeHidden();
    expect(await reportOf(office, group.meeting)).toMatchObject({ present: 13, absent: 0 });
    await page.goto("/me");
    await page.getByRole("button", { name: "Log out" }).click();
    await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  });
