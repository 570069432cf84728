import { randomBytes } from "node:crypto";
import type { Vestry } from "@vestry/sdk";
import { expect, expectAccessible, test } from "../../bed.ts";
import { unique } from "../../church.ts";

/** The pages on which visitors write to a church without a website. */

/** The network of another visitor, as a proxy names it. */
const elsewhere = () => ({
  extraHTTPHeaders: { "X-Forwarded-For": `2001:db8:${randomBytes(2).toString("hex")}::1` },
});

test.beforeEach(async ({ office }) => {
  const account = await office.accounts.get("me");
  await office.accounts.update(account.id, { settings: { "public-pages": true } });
});

const makePublicForm = (office: Vestry) =>
  office.forms.create({
    "name": `New here? ${unique()}`,
    "status": "open",
    "challenge": "pow",
    "privacy-notice": "We keep your answers for a year.",
    "confirmation-message": "See you on Sunday.",
    "fields": [
      { key: "full-name", type: "text", label: "Name", required: true, "maps-to": "full-name" },
      { key: "email", type: "email", label: "E-mail", required: true, "maps-to": "email" },
      { key: "day", type: "date", label: "When were you here?" },
      { key: "children", type: "boolean", label: "I have children" },
      {
        "key": "ages",
        "type": "text",
        "label": "How old are they?",
        "required": true,
        "show-if": { field: "children", equals: true },
      },
      {
        key: "interests",
        type: "multi-select",
        label: "What do you like?",
        help: "As many as you like.",
        options: [
          { value: "music", label: "Music" },
          { value: "sports", label: "Sports" },
        ],
      },
      { key: "home", type: "address", label: "Where do you live?" },
    ],
  });

/** The service takes a form that is sent within three seconds for that of a program. */
const takeTime = async (since: number) =>
  expect.poll(() => Date.now() - since, { intervals: [500] }).toBeGreaterThan(3_000);

const sentTo = async (office: Vestry, form: { id: string }) => {
  const { items } = await office.formSubmissions.page({ filter: { form: [form.id] } });
  return items;
};

test("a visitor fills in a form, whose questions follow the answers, and staff get it", async ({
  bench,
  expectMessage,
  office,
}) => {
  expectMessage(/422 \(Unprocessable Entity\)/);
  const form = await makePublicForm(office);
  const page = await bench.open(`/c/demo/forms/${form.id}`, elsewhere());
  const opened = Date.now();
  await expect(page.getByLabel("How old are they?")).toBeHidden();
  await page.getByLabel("Name").fill("Ana Lima");
  // Without the check of the browser, the mistake reaches the service.
  await page.getByLabel("E-mail").fill("ana");
  await page.locator("form.entry").evaluate((entry: HTMLFormElement) => (entry.noValidate = true));
  await page.getByLabel("I have children").check();
  await page.getByLabel("How old are they?").fill("3 and 5");
  await page.getByLabel("Music").check();
  await page.getByLabel("Street").fill("Rua das Flores");
  await page.getByLabel("I agree").check();
  await page.getByRole("button", { name: "Send" }).click();

  const alert = page.getByRole("alert");
  await expect(alert).toBeFocused();
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await alert.getByRole("link", { name: "E-mail" }).click();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await expect(page.getByLabel("How old are they?")).toHaveValue("3 and 5");
  await expect(page.getByLabel("Music")).toBeChecked();
  const { height, width } = page.viewportSize() ?? { height: 0, width: 0 };
  await page.setViewportSize({ height, width: 320 });
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    "the form scrolls sideways",
  ).toBeLessThanOrEqual(0);
  await page.setViewportSize({ height, width });

  const email = `${unique()}@visitor.example`;
  await page.getByLabel("E-mail").fill(email);
  await takeTime(opened);
  const proof = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Send" }).click();
  expect(new URLSearchParams((await proof).postData() ?? "").get("proof")).toMatch(/^ey/);
  await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
  await expect(page.getByText("See you on Sunday.")).toBeVisible();
  await page.reload();
  const [submission, ...others] = await sentTo(office, form);
  expect(others).toEqual([]);
  expect([submission?.status, submission?.source]).toEqual(["new", "public"]);
  expect(submission?.answers).toEqual({
    "full-name": "Ana Lima",
    "email": email,
    "children": true,
    "ages": "3 and 5",
    "interests": ["music"],
    "home": { street: "Rua das Flores" },
  });
});

test("a visitor fills in a form without script, and staff get it", async ({ bench, office }) => {
  const form = await makePublicForm(office);
  const page = await bench.open(`/c/demo/forms/${form.id}`, {
    javaScriptEnabled: false,
    ...elsewhere(),
  });
  const opened = Date.now();
  await expect(page.getByText("Only if “I have children” is “yes”.")).toBeVisible();
  const email = `${unique()}@visitor.example`;
  await page.getByLabel("Name").fill("Bruno Cruz");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("I agree").check();
  await takeTime(opened);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("See you on Sunday.")).toBeVisible();
  // Axe is a script itself.
  await page.close();
  const [submission] = await sentTo(office, form);
  expect([submission?.status, submission?.source]).toEqual(["new", "public"]);
  expect(submission?.answers).toEqual({ "full-name": "Bruno Cruz", email, "children": false });
});

test("a visitor asks to join a group from its page", async ({ bench, office }) => {
  const name = `Group ${unique()}`;
  const cell = await office.cells.create({ name, "is-public": true });
  const page = await bench.open(`/c/demo/cells/${cell.id}`, elsewhere());
  await page.getByRole("link", { name: "Ask to join" }).click();
  await page.getByLabel("Your name").fill("Carla Dias");
  await page.getByLabel("E-mail").fill(`${unique()}@visitor.example`);
  await page.getByLabel("Message").fill("May I come?");
  await page.getByLabel("I agree").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send the request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
  const { items } = await office.cellJoinRequests.page({ filter: { cell: [cell.id] } });
  expect(items.map(({ message, source }) => [message, source])).toEqual([
    ["May I come?", "public"],
  ]);
});
