import type { Vestry } from "@vestry/sdk";
import type { Page } from "@playwright/test";
import { encode } from "uqr";
import { expect, expectAccessible, linkSentTo, test } from "../../bed.ts";
import { elsewhere, letIn, makeGroup, makeHolder, makePerson, unique } from "../../church.ts";

/** The pages on which visitors write to a church without a website. */

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
  const page = await bench.open(`/c/demo/forms/${form.id}`, { extraHTTPHeaders: elsewhere() });
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
    extraHTTPHeaders: elsewhere(),
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

/** The queue of a person who decides, in which nothing waits, with a clock that the test moves. */
async function openQueue(page: Page): Promise<Page> {
  await page.clock.install();
  await page.goto("/inbox");
  await expect(page.getByText("Nothing waits for a decision")).toBeVisible();
  return page;
}

/** Lets time pass until the open queue shows the request, and accepts it. */
async function acceptFrom(queue: Page, name: string): Promise<void> {
  const line = queue.getByRole("listitem").filter({ hasText: name });
  await expect(async () => {
    await queue.clock.fastForward(30_000);
    await expect(line).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await line.getByRole("button", { name: `Decide: ${name}` }).click();
  await queue.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
  await expect(line).toBeHidden();
}

/** Fills in the page of a request, sends it, and confirms the address with the button behind the link of the mail. */
async function askAndConfirm(page: Page, name: string): Promise<void> {
  const email = `${unique()}@visitor.example`;
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Message").fill("May I come?");
  await page.getByLabel("I agree").check();
  await page.getByRole("button", { name: "Send the request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
  await confirmAddress(page, email);
}

async function confirmAddress(page: Page, email: string): Promise<void> {
  await page.goto(await linkSentTo(email));
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Your e-mail address is confirmed.")).toBeVisible();
}

/** The address that the code for cameras shows, and that stands beside it. */
async function codedAddress(page: Page): Promise<string> {
  const code = page.getByRole("img", { name: "Code with the address of the form" });
  const drawn = await code.locator("path").getAttribute("d");
  const address = await page.getByText(/^https?:\S+\/c\/demo\/forms\//).innerText();
  const squares = encode(address, { ecc: "M", border: 4 }).data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])),
  );
  expect(drawn?.match(/\d+ \d+/g)).toEqual(squares);
  return address;
}

/** The active members of a group. */
async function membersOf(office: Vestry, cell: { id: string }) {
  const { items } = await office.cellMemberships.page({
    filter: { cell: [cell.id], status: ["active"] },
    include: ["person"],
    fields: { people: ["full-name"] },
    page: { size: 100 },
  });
  return items.map(({ person }) => person?.["full-name"]);
}

for (const javaScriptEnabled of [true, false])
  test(`a newcomer asks to join a group ${javaScriptEnabled ? "and" : "without script, and"} the leader, who has the queue open, accepts`, async ({
    as,
    bench,
    office,
  }) => {
    const group = await makeGroup(office);
    await office.cells.update(group.id, { "is-public": true });
    const queue = await openQueue(await as(await letIn(office, group.leader)));
    const page = await bench.open(`/c/demo/cells/${group.id}`, {
      javaScriptEnabled,
      extraHTTPHeaders: elsewhere(),
    });
    const name = `Carla Dias ${unique()}`;
    await page.getByRole("link", { name: "Ask to join" }).click();
    if (javaScriptEnabled) await expectAccessible(page);
    await askAndConfirm(page, name);
    // Axe is a script itself.
    if (!javaScriptEnabled) await page.close();
    expect(await membersOf(office, group)).not.toContain(name);
    await acceptFrom(queue, name);
    expect(await membersOf(office, group)).toContain(name);
  });

test("a newcomer scans the code of a form, confirms the address, and is a member of the group", async ({
  as,
  bench,
  office,
}) => {
  const cell = await office.cells.create({ name: `Group ${unique()}` });
  const form = await office.forms.create({
    "name": `New here? ${unique()}`,
    "status": "open",
    "challenge": "pow",
    "confirmation-email": true,
    "fields": [
      { key: "full-name", type: "text", label: "Name", required: true, "maps-to": "full-name" },
      { key: "email", type: "email", label: "E-mail", required: true, "maps-to": "email" },
    ],
    "actions": { "create-or-match-person": true, "add-to-cell": cell.id },
  });
  const { login } = await makeHolder(office, "form-manager");
  const staff = await as(login, `/forms/${form.id}?tab=share`);
  const page = await bench.open(await codedAddress(staff), { extraHTTPHeaders: elsewhere() });
  const opened = Date.now();
  const name = `Duarte Sá ${unique()}`;
  const email = `${unique()}@visitor.example`;
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("E-mail").fill(email);
  await takeTime(opened);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("You will soon get an e-mail")).toBeVisible();
  expect(await membersOf(office, cell)).toEqual([]);
  await confirmAddress(page, email);
  expect(await membersOf(office, cell)).toEqual([name]);
});

test("a visitor asks to enroll in a class, and its teacher, who has the queue open, accepts", async ({
  as,
  bench,
  office,
}) => {
  const teacher = await makePerson(office, `Teresa ${unique()}`);
  const course = await office.courses.create({ "name": `Alpha ${unique()}`, "is-public": true });
  const one = await office.courseClasses.create({
    course,
    "name": "Autumn",
    "status": "open",
    "is-public": true,
    "teachers": [teacher],
  });
  const queue = await openQueue(await as(await letIn(office, teacher.id)));
  const page = await bench.open(`/c/demo/classes/${one.id}`, { extraHTTPHeaders: elsewhere() });
  await page.getByRole("link", { name: "Enroll" }).click();
  await expect(page).toHaveURL(/\/enroll$/);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  const name = `Elsa Pinho ${unique()}`;
  await askAndConfirm(page, name);
  await acceptFrom(queue, name);
  const { items } = await office.courseEnrollments.page({
    filter: { class: [one.id] },
    include: ["person"],
    fields: { people: ["full-name"] },
  });
  expect(items.map(({ person }) => person?.["full-name"])).toEqual([name]);
});
