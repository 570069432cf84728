import { expect, test } from "../../bed.ts";
import {
  day,
  type Group,
  LEADERS_PHONE,
  letIn,
  makeGroup,
  makeNetwork,
  reportOf,
} from "../../church.ts";

test.use({ serviceWorkers: "allow" });

const pathOf = ({ id, meeting }: Group) => `/cells/${id}/meetings/${meeting}`;

test("stops leading a group while its report waits for the network: the report stays in view to be copied, and the next one is sent", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/net::ERR_INTERNET_DISCONNECTED|40[34] \(/);
  const [lost, kept] = await Promise.all([makeGroup(office), makeGroup(office)]);
  const { leader } = lost;
  await office.cellMemberships.create({
    "cell": kept.id,
    "person": leader,
    "cell-role": "co-leader",
  });
  const page = await as(await letIn(office, leader));
  const device = page.context();
  await device.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const allCame = page.getByRole("button", { name: "All came" });
  for (const group of [kept, lost]) {
    await page.goto(pathOf(group));
    await allCame.waitFor();
  }

  await device.setOffline(true);
  const [, missing = ""] = [...lost.members.values()];
  await allCame.click();
  await page.getByRole("button", { name: missing, exact: true }).click();
  await page.getByRole("button", { name: "Send report" }).click();
  const waits = page.getByText(/Waiting for connection/);
  await expect(waits).toBeVisible();
  await page.goto(pathOf(kept));
  await allCame.click();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(waits).toBeVisible();

  const { items } = await office.cellMemberships.page({
    filter: { cell: [lost.id], person: [leader] },
  });
  for (const membership of items)
    await office.cellMemberships.update(membership, { status: "left", "left-on": day(0) });
  await device.setOffline(false);
  await expect.poll(() => reportOf(office, kept.meeting)).toMatchObject({ present: 14 });

  const notice = page.getByText(`The report of ${lost.name} was not accepted.`);
  await notice.getByRole("link", { name: "Open" }).click();
  await expect(page.getByText(/you no longer lead this group/)).toBeVisible();
  await expect(page.getByText("12 of 13 came")).toBeVisible();
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(lost.name);
  expect(copied).toContain(`${missing}: missing`);

  const erase = page.getByRole("button", { name: "Delete this report from the phone" });
  await erase.click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("12 of 13 came")).toBeVisible();
  await erase.click();
  await expect(page.getByText("Not here, or not yours to see")).toBeVisible();
  await expect(notice).toBeHidden();
});

test("finds the number of the supervisor on a report that can no longer be changed", async ({
  as,
  office,
}) => {
  const { group, supervisor } = await makeNetwork(office);
  await office.people.update(supervisor.id, { phones: [{ number: LEADERS_PHONE }] });
  const [leader = "", ...others] = group.members.keys();
  const { id } = await office.cellMeetings.create({
    cell: group.id,
    date: day(-20),
    attendance: others.map((one) => ({ "person-id": one, "status": "present" as const })),
  });
  const page = await as(await letIn(office, leader), pathOf({ ...group, meeting: id }));
  await expect(page.getByText(/Ask your supervisor to correct it/)).toBeVisible();
  await expect(page.getByText("12 of 13 came")).toBeVisible();
  for (const name of ["Send report", "Correct"])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  const call = page.getByRole("link", { name: `Call ${supervisor["full-name"]}` });
  await expect(call).toHaveAttribute("href", `tel:${LEADERS_PHONE}`);
});
