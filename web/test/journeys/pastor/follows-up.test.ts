import { day, makeGroup, makeHolder, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

const dateInWords = (date: string) =>
  new Date(date).toLocaleDateString("en-PT", { day: "numeric", month: "short", year: "numeric" });

test("finds a person who was missing three times, writes a note, ticks it off and takes that back", async ({
  as,
  office,
}) => {
  const { login } = await makeHolder(office, "pastor");
  const group = await makeGroup(office);
  const [missing, name] = [...group.members][1] ?? ["", ""];
  await office.people.update(missing, { phones: [{ number: "+351913333333" }] });
  for (const offset of [-5, -4, -3, -2])
    await office.cellMeetings.create({
      cell: group.id,
      date: day(offset),
      attendance: [...group.members.keys()]
        .filter((id) => id !== missing || offset === -5)
        .map((id) => ({ "person-id": id, "status": "present" as const })),
    });

  const page = await as(login);
  const line = page
    .locator("section")
    .filter({ hasText: "Missing three times in a row" })
    .getByRole("listitem")
    .filter({ hasText: name });
  await expect(line.getByRole("link", { name: `Call ${name}` })).toHaveAttribute(
    "href",
    "tel:+351913333333",
  );
  await line.getByRole("link", { name, exact: true }).click();

  const text = `Was ill, visits again ${unique()}`;
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByLabel("Note", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Tomorrow" }).click();
  await page.getByRole("button", { name: "Save the note" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: text })).toBeVisible();

  await page.getByRole("link", { name: "Overview" }).click();
  // The meetings without a row of the person count, between the dates of the first and the last one.
  const attendance = page.locator("section").filter({ hasText: "Missing 3 times in a row" });
  await expect(attendance.getByRole("listitem")).toHaveText([
    / · Came$/,
    ...Array.from({ length: 3 }, () => / · Missing$/),
  ]);
  const ends = attendance.locator("ol + p > span");
  await expect(ends).toHaveText([-5, -2].map((offset) => dateInWords(day(offset))));

  await page.getByRole("link", { name: "Home" }).first().click();
  const tick = page.getByRole("checkbox", { name: `Done: ${text}` });
  const followUp = page.getByRole("listitem").filter({ has: tick });
  await expect(followUp.getByRole("link", { name })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  // Two lines of text, and the space around them.
  expect((await followUp.boundingBox())?.height).toBeLessThan(66);
  await page.setViewportSize({ width: 1280, height: 800 });
  await tick.click();
  await expect(page.getByText("Follow-up done")).toBeVisible();
  await expect(tick).toBeHidden();
  const statusNow = async () => {
    const { items } = await office.notes.page({ filter: { about: [missing] } });
    return items.map((note) => note["follow-up-status"]);
  };
  expect(await statusNow()).toEqual(["done"]);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(tick).toBeVisible();
  expect(await statusNow()).toEqual(["open"]);
});
