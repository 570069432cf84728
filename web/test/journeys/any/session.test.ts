import type { Page } from "@playwright/test";
import { expect, logIn, test, withoutStream } from "../../bed.ts";
import { day, letIn, makeGroup, unique } from "../../church.ts";
import type { Login } from "../../service.ts";

const logInOver = (page: Page, login: Login): Promise<void> =>
  logIn(page.getByRole("dialog", { name: "Your session has ended" }), login);

async function openForm(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  const form = page.getByRole("dialog", { name: "Add person" });
  // The keys work a moment after the page can be seen.
  await expect(async () => {
    if (!(await form.isVisible())) await page.keyboard.press("c");
    await expect(form).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

async function typeName(page: Page, name: string): Promise<void> {
  await openForm(page);
  await page.getByLabel("Name").fill(name);
}

/** Sends the form. A read in the background may have noticed before that the session has ended, and nothing is clicked then. */
const send = (page: Page) => page.keyboard.press("Enter");

test("the person changes the password in another browser while a form is open: after the log-in over it, the typed text is saved", async ({
  as,
  expectMessage,
  office,
  stranger,
}) => {
  expectMessage(/401 \(Unauthorized\)/);
  const group = await makeGroup(office);
  const login = await letIn(office, group.leader);
  const page = await as(login);
  const name = `Vera ${unique()}`;
  await typeName(page, name);

  const password = "a longer sentence than before";
  const elsewhere = await stranger("/me");
  await logIn(elsewhere.locator("body"), login);
  await elsewhere.getByLabel("Current password").fill(login.password);
  await elsewhere.getByLabel("New password").fill(password);
  await elsewhere.getByRole("button", { name: "Change the password" }).click();
  await expect(elsewhere.getByText(/^Your password was changed/)).toBeVisible();

  await send(page);
  await logInOver(page, { ...login, password });
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} was added.`)).toBeVisible();
  const { items } = await office.people.page({ filter: { q: name } });
  expect(items).toHaveLength(1);
});

test("another person who logs in there starts on a new page, without the text of the first", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/401 \(Unauthorized\)/);
  const [group, other] = await Promise.all([makeGroup(office), makeGroup(office)]);
  const page = await as(await letIn(office, group.leader));
  await typeName(page, "Locked away");
  await page.context().clearCookies();
  await send(page);

  const login = await letIn(office, other.leader);
  await logInOver(page, login);
  const [, name = ""] = [...other.members][0] ?? [];
  await expect(page.getByRole("banner")).toContainText(name);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await openForm(page);
  await expect(page.getByLabel("Name")).toHaveValue("");
});

test("logging out in one tab ends the other, and nothing of the person stays on the device", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/401 \(Unauthorized\)/);
  const group = await makeGroup(office);
  const page = await as(await letIn(office, group.leader));
  await typeName(page, "A draft");
  const second = await page.context().newPage();
  await second.goto("/me");
  await second.getByRole("button", { name: "Log out" }).click();
  await expect(second.getByRole("button", { name: "Log in" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  const kept = await second.evaluate(() => Object.keys(localStorage));
  expect(kept).toEqual(["vestry.church"].filter((name) => kept.includes(name)));
});

test("after the log-out, Back shows nothing of the person from the memory of the browser", async ({
  device,
  expectMessage,
  office,
}) => {
  expectMessage(/401 \(Unauthorized\)|net::ERR_FAILED/);
  const group = await makeGroup(office);
  const [, name = ""] = [...group.members.values()];
  const page = await device();
  // Chromium forgets pages with a stream, a lock or a channel. Other browsers keep them.
  await withoutStream(page);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "locks", { value: undefined });
    Reflect.deleteProperty(window, "BroadcastChannel");
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) sessionStorage.setItem("returned", location.pathname);
    });
  });
  await page.goto(`/login?to=/cells/${group.id}`);
  await logIn(page.locator("body"), await letIn(office, group.leader));
  await expect(page.getByText(name)).toBeVisible();
  // A page that waits for an answer is not kept either.
  await page.waitForFunction(() => localStorage.getItem("vestry.sheets-kept") !== null);
  await page.goto("/icon.svg");
  await page.goto("/me");
  await page.getByRole("button", { name: "Log out" }).click();
  const button = page.getByRole("button", { name: "Log in" });
  await expect(button).toBeVisible();

  await page.evaluate(() => history.go(-3));
  await expect(page).toHaveURL(/login\?to=/);
  await expect(button).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
  const returned = await page.evaluate(() => sessionStorage.getItem("returned"));
  expect(returned).toBe(`/cells/${group.id}`);
});

test("a write in the moment in which another person logs in beside it is refused, and the page follows", async ({
  as,
  baseURL,
  expectMessage,
  office,
}) => {
  expectMessage(/401 \(Unauthorized\)/);
  const [group, other] = await Promise.all([makeGroup(office), makeGroup(office)]);
  const page = await as(await letIn(office, group.leader));
  const name = `Vera ${unique()}`;
  await typeName(page, name);
  const data = await letIn(office, other.leader);
  // No page of the browser keeps this session, so no other tab hears about it.
  await page.context().request.post("/session", { data, headers: { Origin: baseURL ?? "" } });
  await page.getByRole("button", { name: "Save" }).click();

  const [, leader = ""] = [...other.members][0] ?? [];
  await expect(page.getByRole("banner")).toContainText(leader);
  const { total } = await office.people.page({ filter: { q: name } });
  expect(total).toBe(0);
});

test("a right that ends while the page is open leaves the menu", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/40[34] \(/);
  const group = await makeGroup(office);
  const page = await as(await letIn(office, group.leader), "/me");
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu.getByRole("link", { name: "People" })).toBeVisible();
  const { items } = await office.cellMemberships.page({
    filter: { cell: [group.id], person: [group.leader] },
  });
  for (const membership of items)
    await office.cellMemberships.update(membership, { status: "left", "left-on": day(0) });
  // A card of this page asks for what only leaders may read.
  await menu.getByRole("link", { name: "Home" }).click();
  await expect(menu.getByRole("link", { name: "People" })).toBeHidden();
});

test("all other devices are logged out with one button, and this one stays", async ({
  as,
  office,
  program,
}) => {
  const group = await makeGroup(office);
  const login = await letIn(office, group.leader);
  const others = [await program(login), await program(login)];
  const page = await as(login, "/me");
  const button = page.getByRole("button", { name: "Log out all other devices" });
  await button.click();
  await expect(button).toBeHidden();
  for (const other of others)
    await expect(other.people.get("me")).rejects.toMatchObject({ status: 401 });
  await page.reload();
  await expect(page.getByText("This one")).toBeVisible();
});
