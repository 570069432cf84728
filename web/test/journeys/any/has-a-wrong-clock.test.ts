import type { Page } from "@playwright/test";
import { expect, test } from "../../bed.ts";
import { day, letIn, makeGroup, reportOf, unique } from "../../church.ts";

/** The device believes that it is another day. */
const shiftClock = (page: Page, days: number) =>
  page.addInitScript((shiftMs) => {
    const now = Date.now;
    globalThis.Date = new Proxy(Date, {
      construct: (target, values) =>
        Reflect.construct(target, values.length === 0 ? [now() + shiftMs] : values),
      get: (target, name, receiver) =>
        name === "now" ? () => now() + shiftMs : Reflect.get(target, name, receiver),
    });
  }, days * 86_400_000);

for (const [words, days] of [
  ["behind", -1],
  ["ahead", 1],
] as const)
  test(`with a clock that is a day ${words}, today's meeting is reported, and a follow-up is due on the right day`, async ({
    as,
    office,
  }) => {
    const group = await makeGroup(office);
    await office.cellMeetings.update(group.meeting, { status: "cancelled" });
    const { id: meeting } = await office.cellMeetings.create({ cell: group.id, date: day(0) });
    const phone = await as(await letIn(office, group.leader), "about:blank");
    await shiftClock(phone, days);
    await phone.goto("/");
    await phone.getByRole("link", { name: "Report now" }).click();
    await phone.getByRole("button", { name: "All came" }).click();
    await phone.getByRole("button", { name: "Send report" }).click();
    await expect(phone.getByText(/^Sent /)).toBeVisible();
    expect(await reportOf(office, meeting)).toMatchObject({ present: 13 });

    const page = await as("secretary", "about:blank");
    await shiftClock(page, days);
    await page.goto(`/people/${group.leader}?tab=notes`);
    await page.getByRole("button", { name: "Add note" }).click();
    const text = `Asked for a visit ${unique()}`;
    await page.getByLabel("Note", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Tomorrow" }).click();
    await page.getByRole("button", { name: "Save the note" }).click();
    const note = page.getByRole("listitem").filter({ hasText: text });
    await expect(note.getByText(/· (now|\d+ minutes? ago)$/)).toBeVisible();
    const { items } = await office.notes.page({ filter: { about: [group.leader] } });
    expect(items.map((one) => one["follow-up-on"])).toEqual([day(1)]);
    // The home page shows six open notes, and other journeys look for theirs there.
    for (const one of items) await office.notes.update(one, { "follow-up-status": "done" });
  });
