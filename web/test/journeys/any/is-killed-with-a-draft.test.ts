import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../../bed.ts";
import { type Group, letIn, makeGroup, makePerson, unique } from "../../church.ts";

type Form = {
  path: (group: Group) => string;
  /** Opens the form and enters something. */
  type: (page: Page, words: string, group: Group) => Promise<void>;
  /** Opens the form again, where that takes a press. */
  reopen?: (page: Page) => Promise<void>;
  /** What must stand there again. */
  see: (page: Page, words: string, group: Group) => Promise<void>;
};

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();
const goOn = (page: Page) => press(page, "Continue");

const forms: Record<string, Form> = {
  "a new person": {
    path: () => "/people/new",
    async type(page, words, { name }) {
      await field(page, "Full name").fill(words);
      await page.getByLabel("Start a household for this family").check();
      await page.getByRole("combobox", { name: "House group" }).fill(name);
      await page.getByRole("option", { name }).click();
    },
    async see(page, words, { name }) {
      await expect(field(page, "Full name")).toHaveValue(words);
      await expect(page.getByLabel("Start a household for this family")).toBeChecked();
      await expect(page.getByRole("combobox", { name: "House group" })).toHaveValue(name);
    },
  },
  "the times of a group": {
    path: ({ id }) => `/cells/${id}?tab=about`,
    async type(page, words) {
      await press(page, "Edit");
      await field(page, "About").fill(words);
    },
    reopen: goOn,
    see: (page, words) => expect(field(page, "About")).toHaveValue(words),
  },
  "a multiplication": {
    path: ({ id }) => `/cells/${id}/multiply`,
    async type(page, words, { members }) {
      await press(page, `${[...members.values()][1]} goes to the new group`);
      await field(page, "Name of the new group").fill(words);
    },
    async see(page, words, { members }) {
      const stays = page.getByRole("button", { name: `${[...members.values()][1]} stays` });
      await expect(stays).toBeVisible();
      await expect(field(page, "Name of the new group")).toHaveValue(words);
    },
  },
  "a report": {
    path: ({ id, meeting }) => `/cells/${id}/meetings/${meeting}`,
    async type(page, words) {
      await press(page, "All came");
      await press(page, "Add a visitor");
      await field(page, "Name").fill(words);
    },
    async see(page, words) {
      await expect(page.getByText("13 of 13 came")).toBeVisible();
      await expect(field(page, "Name")).toHaveValue(words);
    },
  },
};

/** Ends the process of a page without a word to the page, as phones do that need the memory, and loads the page again. */
async function killAndReload(context: BrowserContext, page: Page, port: string): Promise<void> {
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send("Target.getTargetInfo");
  const isGone = page.waitForEvent("crash");
  session.send("Page.crash").catch(() => undefined);
  await isGone;
  // Playwright gives up a page that crashed.
  const socket = new WebSocket(`ws://127.0.0.1:${port}/devtools/page/${targetInfo.targetId}`);
  await once(socket, "open");
  socket.send(JSON.stringify({ id: 1, method: "Page.reload" }));
  await once(socket, "message");
  socket.close();
}

test("the tab is killed while something is entered: it stands there again, in every form", async ({
  baseURL,
  bench,
  office,
  playwright,
  sessionOf,
  viewport,
}) => {
  const group = await makeGroup(office);
  const administrator = await makePerson(office, `Administrator ${unique()}`);
  await office.people.update(administrator, { "administrative-status": "full-administrator" });
  const login = await letIn(office, administrator.id);
  const words = `typed-${unique()}@bed.example`;
  const profile = await mkdtemp(join(tmpdir(), "vestry-killed-"));
  const context = await playwright.chromium.launchPersistentContext(profile, {
    args: ["--no-sandbox", "--remote-debugging-port=0"],
    viewport,
  });
  bench.watch(context);
  const [port = ""] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
  await context.addCookies((await sessionOf(login)).cookies);
  for (const { path, type } of Object.values(forms)) {
    const page = await context.newPage();
    await page.goto(`${baseURL}${path(group)}`);
    await type(page, words, group);
    await killAndReload(context, page, port);
  }

  const browser = await playwright.chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const pages = browser.contexts().flatMap((one) => one.pages());
  for (const [what, { path, reopen, see }] of Object.entries(forms))
    await test.step(what, async () => {
      const page = pages.find((one) => one.url() === `${baseURL}${path(group)}`);
      if (page === undefined) throw new Error(`${path(group)} is not open.`);
      await page.bringToFront();
      await reopen?.(page);
      await see(page, words, group);
    });
  await browser.close();
  await context.close();
  await rm(profile, { recursive: true, force: true });
});
