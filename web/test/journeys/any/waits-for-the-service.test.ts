import { expect, test } from "../../bed.ts";
import { letIn, makeGroup, makePerson, unique } from "../../church.ts";

test("every screen says that the service has a problem, and shows its content by itself when that is over", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/503 \(Service Unavailable\)/);
  const group = await makeGroup(office);
  const administrator = await makePerson(office, `Administrator ${unique()}`);
  await office.people.update(administrator, { "administrative-status": "full-administrator" });
  const household = await office.households.create({
    "name": `Family ${unique()}`,
    "primary-contact": group.leader,
  });
  const page = await as(await letIn(office, administrator.id), "/nothing");
  await page.clock.install();
  const cell = `/cells/${group.id}`;
  for (const path of [
    "/",
    "/people",
    `/people/${group.leader}`,
    `/people/${group.leader}?tab=notes`,
    `/households/${household.id}`,
    "/cells",
    "/cells?view=tree",
    cell,
    `${cell}?tab=meetings`,
    `${cell}?tab=requests`,
    `${cell}/meetings/${group.meeting}`,
    `${cell}/multiply`,
    "/notes",
    "/me",
    "/print/people",
    `/print${cell}`,
  ])
    await test.step(path, async () => {
      await page.route("**/v1/**", (route) =>
        route.fulfill({ status: 503, headers: { "Retry-After": "3" }, json: {} }),
      );
      await page.goto(path);
      const failure = page.getByText("The service has a problem. The app tries again by itself.");
      await expect(failure.first()).toBeVisible();
      await page.unroute("**/v1/**");
      await page.clock.runFor(3_000);
      await expect(failure).toHaveCount(0);
      await expect(page.locator("h1").first()).toHaveText(/\S/);
      await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
    });
});
