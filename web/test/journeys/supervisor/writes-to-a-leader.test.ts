import { day, LEADERS_PHONE, makeNetwork } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("gets from a group that owes two reports to the WhatsApp of its leader in two taps", async ({
  as,
  office,
}) => {
  const { group, login } = await makeNetwork(office);
  for (const offset of [-8, -15])
    await office.cellMeetings.create({ cell: group.id, date: day(offset) });
  // The report of yesterday may not be overdue yet.
  await office.cellMeetings.update(group.meeting, { status: "cancelled" });
  const page = await as(login);
  const line = page.getByRole("listitem").filter({ hasText: group.name });
  await expect(line.getByText("2 reports")).toBeVisible();
  const leader = group.members.get(group.leader) ?? "";
  // The link is the first tap, and the browser opens WhatsApp.
  await expect(line.getByRole("link", { name: `Write to ${leader}` })).toHaveAttribute(
    "href",
    `https://wa.me/${LEADERS_PHONE.slice(1)}`,
  );
});
