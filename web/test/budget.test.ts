import type { Page } from "@playwright/test";
import type { Vestry } from "@vestry/sdk";
import { expect, test, withoutStream } from "./bed.ts";
import { unique } from "./church.ts";

/** The budgets of the app: how much a screen loads before its content, what it asks the service, and how long it takes. */

type Row = { what: string; measured: number; limit: number; unit: string };
const table: Row[] = [];

function record(what: string, measured: number, limit: number, unit: string): void {
  table.push({ what, measured: Math.round(measured * 10) / 10, limit, unit });
}

// One worker keeps the table. A test that fails would end it, so the last one compares.
test.describe.configure({ mode: "default" });

/** The parts of a visit that a person waits for, until `content` is there. */
async function visit(page: Page, path: string, content: string) {
  const requests: string[] = [];
  let bytes = 0;
  const sizes: Promise<unknown>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/v1/")) requests.push(pathname);
    if (/^\/assets\/.*\.(js|css)$/.test(pathname) && !response.fromServiceWorker())
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => (bytes += responseBodySize)),
      );
  });
  const startedAt = performance.now();
  await page.goto(path, { waitUntil: "commit" });
  await page.locator(content).first().waitFor();
  const milliseconds = performance.now() - startedAt;
  await Promise.all(sizes);
  return { bytes, milliseconds, requests };
}

/** The address of an endpoint with a delivery. Nothing answers there. */
const endpointIn = async (office: Vestry): Promise<string> => {
  const { id } = await office.webhookEndpoints.create({
    url: `https://127.0.0.1:1/${unique()}`,
    events: ["import-job.completed"],
  });
  return `/webhooks/${id}`;
};

/** The documents of a screen, when no more of them arrive. */
async function requestsOf(page: Page, path: string, content: string): Promise<number> {
  // The stream of changes is no document, and with it the network is never idle.
  await withoutStream(page);
  const { requests } = await visit(page, path, content);
  await page.waitForLoadState("networkidle");
  return requests.length;
}

// The rows of people, and not their placeholders.
const ROW = "[role=row][data-index] a, [role=listitem][data-index] a";
const GZIP = { extraHTTPHeaders: { "Accept-Encoding": "gzip" }, serviceWorkers: "block" } as const;

for (const [name, who, path, content, limit] of [
  ["log-in", undefined, "/login", "input[name=password]", 130],
  ["report", "leader", "/report", "button[aria-pressed]", 130],
  ["list", "of 5,000", "/people", ROW, 145],
  ["endpoint", "full administrator", "<endpoint>", "h1 bdi", 130],
] as const)
  test(`${name}: scripts and styles before its content`, async ({ bench, office, sessionOf }) => {
    const page = await bench.open("about:blank", {
      ...GZIP,
      ...(who && { storageState: await sessionOf(who) }),
    });
    const address = path === "<endpoint>" ? await endpointIn(office) : path;
    const { bytes } = await visit(page, address, content);
    record(`${name}: scripts and styles`, bytes / 1000, limit, "kB");
  });

for (const [name, who, path, content, limit] of [
  ["list", "of 5,000", "/people", ROW, 3],
  ["person", "full administrator", "<person>", "h1 bdi", 4],
  ["report", "leader", "<report>", "button[aria-pressed]", 3],
  ["home", "full administrator", "/", "main section", 8],
  ["endpoint", "full administrator", "<endpoint>", "h1 bdi", 5],
] as const)
  test(`${name}: requests`, async ({ as, expectMessage, office }) => {
    expectMessage(/net::ERR_FAILED/);
    const { items } = await office.people.page({ filter: { q: "Lukas Weber" } });
    const due = await office.cellMeetings.page({
      filter: { "report-status": ["due", "overdue"] },
      include: ["cell"],
      fields: { "cell-meetings": ["date"], cells: ["name"] },
    });
    const meeting = due.items.find(({ cell }) => cell.name === "Alfama");
    const address = path
      .replace("<endpoint>", await endpointIn(office))
      .replace("<person>", `/people/${items[0]?.id}`)
      .replace("<report>", `/cells/${meeting?.cell.id}/meetings/${meeting?.id}`);
    const page = await as(who, "about:blank");
    const count = await requestsOf(page, address, content);
    record(`${name}: requests`, count, limit, "");
  });

test("list of 5,000: elements and times", async ({ as, expectMessage }) => {
  expectMessage(/net::ERR_FAILED/);
  const page = await as("of 5,000", "about:blank");
  await withoutStream(page);
  await page.goto("/people");
  await page.locator(ROW).first().waitFor();
  const elements = await page.locator("*").count();
  record("list: elements", elements, 800, "");

  const { milliseconds } = await visit(page, "/people", ROW);
  record("list: first rows on a desktop, again", milliseconds, 400, "ms");

  await page.waitForLoadState("networkidle");
  const found = page.waitForResponse((response) => response.url().includes("maria"));
  await page.getByRole("searchbox").pressSequentially("maria");
  const typedAt = performance.now();
  await found;
  await expect(page.locator(ROW).first()).toContainText(/maria/i);
  const waited = performance.now() - typedAt;
  record("list: last key to rows", waited, 500, "ms");
});

test("endpoint: the drawer of a delivery", async ({ as, office }) => {
  const page = await as("full administrator", await endpointIn(office));
  const row = page.getByRole("list", { name: "Deliveries" }).getByRole("link").first();
  // The first drawer fetches its chunk.
  await row.click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  const pressedAt = performance.now();
  await row.click();
  await page.getByRole("dialog").getByRole("button", { name: "Deliver again" }).waitFor();
  record("endpoint: the drawer opens", performance.now() - pressedAt, 300, "ms");
});

test("list of 5,000 on a phone with a slow processor and 9 Mbit/s", async ({
  bench,
  sessionOf,
}) => {
  const page = await bench.open("about:blank", {
    storageState: await sessionOf("of 5,000"),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const devtools = await page.context().newCDPSession(page);
  const bytesPerSecond = (9 * 1_000_000) / 8;
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 85,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  const first = await visit(page, "/people", ROW);
  record("list: first rows on a phone", first.milliseconds, 3_500, "ms");
  const again = await visit(page, "/people", ROW);
  record("list: first rows on a phone, again", again.milliseconds, 1_500, "ms");
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
});

test("everything is within its budget", () => {
  console.table(table);
  expect(table.filter(({ limit, measured }) => measured > limit)).toEqual([]);
});
