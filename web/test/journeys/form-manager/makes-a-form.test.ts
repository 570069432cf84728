import { makeHolder, unique } from "../../church.ts";
import { expect, moveFocus, test } from "../../bed.ts";

test("makes a form by keyboard alone, opens it and copies its address", async ({ as, office }) => {
  const account = await office.accounts.get("me");
  await office.accounts.update(account.id, { settings: { "public-pages": true } });
  const { login } = await makeHolder(office, "form-manager");
  const name = `Summer camp ${unique()}`;
  const page = await as(login, "/forms/new");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const keys = page.keyboard;

  await moveFocus(page, "Name");
  await keys.type(name);
  await moveFocus(page, "Add a question");
  await keys.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Several choices" })).toBeVisible();
  await keys.type("Sev");
  await keys.press("Enter");
  await expect(page.locator(":focus")).toHaveAccessibleName("Question");
  await keys.type("Which days?");
  await moveFocus(page, "Choice 1");
  await keys.type("Saturday");
  await moveFocus(page, "Choice 2");
  await keys.type("Sunday");
  await moveFocus(page, "Move up: Which days?");
  await keys.press("Enter");
  await expect(page.getByText("Which days?: place 2 of 3")).toBeAttached();
  await expect(page.locator(":focus")).toHaveAccessibleName("Move up: Which days?");
  await moveFocus(page, "Save");
  await keys.press("Enter");

  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await moveFocus(page, "Open the form");
  await keys.press("Enter");
  await expect(page.getByText("The form is open")).toBeVisible();
  await moveFocus(page, "Share");
  await keys.press("Enter");
  await expect(page.getByRole("img", { name: "Code with the address of the form" })).toBeVisible();
  await moveFocus(page, "Copy");
  await keys.press("Enter");
  await expect(page.getByText("Copied")).toBeVisible();

  const { items } = await office.forms.page({ filter: { name } });
  const [form] = items;
  expect(form?.status).toBe("open");
  expect(form?.fields.map(({ key, type }) => [key, type])).toEqual([
    ["full-name", "text"],
    ["which-days", "multi-select"],
    ["e-mail", "email"],
  ]);
  expect(form?.fields[1]?.options).toEqual([
    { value: "saturday", label: "Saturday" },
    { value: "sunday", label: "Sunday" },
  ]);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(copied).pathname).toBe(`/c/demo/forms/${form?.id}`);
});

test("drags a question to another place, and sees its condition in the preview", async ({
  as,
  office,
}) => {
  const { login } = await makeHolder(office, "form-manager");
  const form = await office.forms.create({
    name: `Camp ${unique()}`,
    fields: [
      { key: "name", type: "text", label: "Name" },
      { key: "lunch", type: "boolean", label: "Lunch" },
      { key: "diet", type: "text", label: "Diet", "show-if": { field: "lunch", equals: true } },
    ],
  });
  const page = await as(login);
  // On phones, the buttons move questions, and the preview has a page of its own.
  await page.setViewportSize({ width: 1280, height: 820 });
  await page.goto(`/forms/${form.id}`);
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByLabel("Diet")).toBeHidden();
  await preview.getByLabel("Lunch").check();
  await expect(preview.getByLabel("Diet")).toBeVisible();

  const rows = page.getByRole("list", { name: "Questions" }).getByRole("listitem");
  await rows
    .nth(0)
    .locator("[data-handle]")
    .dragTo(rows.nth(2).locator("[data-handle]"), {
      targetPosition: { x: 10, y: 30 },
    });
  await expect(rows.nth(2)).toContainText("Name");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(async () => {
    const { fields } = await office.forms.get(form.id);
    expect(fields.map(({ key }) => key)).toEqual(["lunch", "diet", "name"]);
  }).toPass();
});
