import { makePerson, unique } from "../../church.ts";
import { expect, moveFocus, test } from "../../bed.ts";
import { theService } from "../../service.ts";

test("logs in, finds, corrects, notes a follow-up and logs out by keyboard alone", async ({
  office,
  stranger,
}) => {
  const person = await makePerson(office, `Zulmira ${unique()}`);
  const { password, username } = theService().logins.secretary;
  const page = await stranger();
  const keys = page.keyboard;
  const focused = page.locator(":focus");
  const tabTo = (name: string | RegExp) => moveFocus(page, name);

  await tabTo("E-mail");
  await keys.type(username);
  await keys.press("Tab");
  await keys.type(password);
  await keys.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: /^Good / })).toBeVisible();

  // The first letters come before the script of the palette, and are no single keys.
  const script = Promise.withResolvers<void>();
  await page.route(/\/assets\/palette-[^/]+\.js$/, async (route) => {
    await script.promise;
    await route.continue();
  });
  await keys.press("Control+k");
  await keys.type("g m c ");
  script.resolve();
  await expect(focused).toHaveAttribute("enterkeyhint", "go");
  await expect(focused).toHaveValue("g m c ");
  for (const _ of "g m c ") await keys.press("Backspace");
  await keys.type(person["full-name"]);
  await expect(page.getByRole("menuitem", { name: person["full-name"] })).toBeVisible();
  await keys.press("ArrowDown");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: person["full-name"] })).toBeVisible();

  await keys.press("e");
  await tabTo("Add a number");
  await keys.press("Enter");
  await tabTo("Number 1");
  await keys.type("+351 914 444 444");
  await keys.press("Enter");
  await expect(page.getByText("+351 914 444 444")).toBeVisible();

  await tabTo(/^Notes/);
  await keys.press("Enter");
  await tabTo("Add note");
  await keys.press("Enter");
  await tabTo("Note");
  await keys.type("Asked for a visit");
  await tabTo("In a week");
  await keys.press("Enter");
  await tabTo("Save the note");
  await keys.press("Enter");
  await expect(page.getByRole("listitem").filter({ hasText: "Asked for a visit" })).toBeVisible();

  await keys.press("Control+k");
  await expect(focused).toHaveAttribute("placeholder", "Name, group or action");
  await keys.type("Me");
  await expect(page.getByRole("menuitem", { name: "Me", exact: true })).toBeVisible();
  await keys.press("ArrowDown");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Me" })).toBeVisible();
  await tabTo("Log out");
  await keys.press("Enter");
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  const stored = await office.people.get(person.id, { fields: { people: ["phones"] } });
  expect(stored.phones?.map(({ number }) => number)).toEqual(["+351914444444"]);
});
