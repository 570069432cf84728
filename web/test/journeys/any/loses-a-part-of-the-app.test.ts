import type { Page } from "@playwright/test";
import { expect, test } from "../../bed.ts";
import { unique } from "../../church.ts";

const MISSING = [
  /404 \(Not Found\) \S+\/assets\//,
  /Failed to fetch dynamically imported module/,
  /Unable to preload CSS/,
  /A part of the app did not arrive/,
] as const;

/** The scripts of the list of groups, which no other screen loads. */
const GROUPS = /\/assets\/list-[^/]+\.js$/;

/** Answers as after an update that removed the files. */
const remove = (page: Page, files: RegExp): Promise<void> =>
  page.route(files, (route) => route.fulfill({ status: 404, body: "" })).then(() => undefined);

/** Opens a page whose reload can end the visit before Playwright sees it. */
const visit = (page: Page, path: string) => page.goto(path).catch(() => undefined);

/** Leaves the app, so that no part that it still loads is missing. */
const leave = (page: Page) => page.goto("about:blank");

/** Counts from now on how often the browser asks for the page. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("request", (request) => (loads += request.isNavigationRequest() ? 1 : 0));
  return () => loads;
}

test.describe("without a service worker", () => {
  test.use({ serviceWorkers: "block" });
  test.beforeEach(({ expectMessage }) => {
    for (const pattern of MISSING) expectMessage(pattern);
  });

  test("a part of the app that is gone after an update reloads the page once, and a draft stays", async ({
    as,
  }) => {
    const page = await as("secretary", "/people/new");
    const name = `Draft ${unique()}`;
    await page.getByLabel("Full name").fill(name);
    const loads = countLoads(page);
    await remove(page, GROUPS);
    page.on("request", (request) => {
      if (request.isNavigationRequest()) void page.unroute(GROUPS);
    });
    // The app loads a screen when its link gets the focus.
    await page.getByRole("link", { name: "Groups" }).focus();
    await expect.poll(loads).toBe(1);
    await expect(page.getByLabel("Full name")).toHaveValue(name);
    await page.getByRole("link", { name: "Groups" }).click();
    await page.getByRole("button", { name: "Leave" }).click();
    await expect(page.getByRole("heading", { name: "Groups" })).toBeVisible();
    expect(loads()).toBe(1);
  });

  test("if it stays away, the frame says what happened, and a later reload shows the page", async ({
    as,
  }) => {
    const page = await as("secretary", "/me");
    await leave(page);
    const loads = countLoads(page);
    await remove(page, GROUPS);
    await visit(page, "/cells");
    await expect(page.getByRole("heading", { name: "This page did not load" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expect(page.getByText(/Failed to fetch/)).toHaveCount(0);
    expect(loads()).toBe(2);
    await page.unroute(GROUPS);
    await page.getByRole("button", { name: "Reload this page" }).click();
    await expect(page.getByRole("heading", { name: "Groups" })).toBeVisible();
  });

  test("without any of its files, the page says so in three languages, and a later reload shows the app", async ({
    as,
  }) => {
    const page = await as("secretary", "/me");
    await leave(page);
    const loads = countLoads(page);
    await remove(page, /\/assets\//);
    await visit(page, "/people");
    for (const words of ["Vestry did not load", "O Vestry não carregou", "Vestry no se ha cargado"])
      await expect(page.getByText(words)).toBeVisible();
    expect(loads()).toBe(2);
    await page.unroute(/\/assets\//);
    await page.getByRole("link", { name: "Reload" }).click();
    await expect(page.getByRole("heading", { name: "People" })).toBeVisible();
    await expect(page.getByText("Vestry did not load")).toBeHidden();
  });

  test("without the catalogs of its texts, the page says so too", async ({ as }) => {
    const page = await as("secretary", "/me");
    await leave(page);
    await page.route(/\/assets\/start-[^/]+\.js$/, async (route) => {
      const response = await route.fetch();
      const isCatalog = (await response.text()).startsWith("var e=JSON.parse(");
      await route.fulfill(isCatalog ? { status: 404, body: "" } : { response });
    });
    await visit(page, "/people");
    await expect(page.getByText("Vestry did not load")).toBeVisible();
  });
});

test.describe("with a service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("a kept page whose files are gone says so, and the app is back with the connection", async ({
    as,
    expectMessage,
  }) => {
    expectMessage(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    // The page can be back on the network before its service worker, and then asks for the old files once more.
    expectMessage(
      /404 \(Not Found\) \S+\/assets\/old-|Refused to apply style from \S+\/assets\/old-/,
    );
    const page = await as("secretary", "/me");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      for (const name of await caches.keys()) {
        const shell = await caches.open(name);
        const html = await (await shell.match("/"))?.text();
        const old = html?.replaceAll("/assets/", "/assets/old-") ?? "";
        await shell.put("/", new Response(old, { headers: { "Content-Type": "text/html" } }));
      }
    });
    await page.context().setOffline(true);
    await page.goto("/people");
    await expect(page.getByText("Vestry did not load")).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByRole("heading", { name: "People" })).toBeVisible();
  });
});
