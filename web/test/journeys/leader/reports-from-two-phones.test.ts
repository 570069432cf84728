import { expect, test, withoutStream } from "../../bed.ts";
import { letIn, makeGroup, reportOf } from "../../church.ts";

test("reports from two phones: equal reports are one, and nothing of a different one is lost unseen", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/409 \(Conflict\)|net::ERR_FAILED/);
  const group = await makeGroup(office);
  const login = await letIn(office, group.leader);
  const path = `/cells/${group.id}/meetings/${group.meeting}`;
  const blank = "about:blank";
  const phones = [await as(login, blank), await as(login, blank), await as(login, blank)] as const;
  const [first, equal, other] = phones;
  // Each phone learns of the others' reports when it sends its own.
  for (const phone of phones) {
    await withoutStream(phone);
    await phone.goto(path);
  }
  for (const phone of phones) await phone.getByRole("button", { name: "All came" }).click();
  for (const phone of [first, equal]) {
    await phone.getByLabel("Theme").fill("Hope");
    await phone.getByRole("button", { name: "Send report" }).click();
    await expect(phone.getByText(/^Sent /)).toBeVisible();
  }

  await other.getByText("Did not meet").click();
  await other.getByLabel("Why did the group not meet?").fill("Storm");
  await other.getByRole("button", { name: "Send report" }).click();
  await other.getByRole("button", { name: "Compare" }).click();
  const dialog = other.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: "Theirs: Met" })).toBeChecked();
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(other.getByText(/^Sent /)).toBeVisible();
  await expect(other.getByText("Theme: Hope")).toBeVisible();
  expect(await reportOf(office, group.meeting)).toMatchObject({ present: 13, absent: 0 });
});
