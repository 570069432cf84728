import axe from "axe-core";
import { appendFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
  test as base,
  type TestInfo,
} from "@playwright/test";
import { Vestry } from "@vestry/sdk";
import type { Loaded } from "./choice/map.ts";
import { axeWidthOf } from "./choice/plan.ts";
import { type Login, type Standing, theService } from "./service.ts";

export { expect };

/** Except before the log-in, the app asks for its session, and the browser reports the rejection. */
export const NO_SESSION = /401 \(Unauthorized\) \S+\/session$/;

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

type OfTest = {
  /** Opens a browser of this person, with one page. */
  as: (who: Standing | Login, path?: string) => Promise<Page>;
  /** Opens a browser without a session. */
  stranger: (path?: string) => Promise<Page>;
  /** Starts the browser of one device, with one empty page. What it stores outlives the browser. */
  device: () => Promise<Page>;
  /** Names messages in the console that the test causes on purpose. */
  expectMessage: (pattern: RegExp) => void;
  bench: Bench;
};

type OfWorker = {
  /** A program of this person. */
  program: (who: Standing | Login) => Promise<Vestry>;
  /** The program of the full administrator of the demo church. */
  office: Vestry;
  /** The session of a person. Log-ins are slow by design, so all browsers of a person share one. */
  sessionOf: (who: Standing | Login) => Promise<State>;
};

export const test = base.extend<OfTest, OfWorker>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
  baseURL: ({}, use) => use(theService().url),

  program: [
    // oxlint-disable-next-line no-empty-pattern -- As above.
    async ({}, use) => {
      const { logins, url } = theService();
      // The origin of the service itself needs no client token.
      const fetchThere: typeof fetch = (input, options) => {
        const headers = new Headers(options?.headers);
        headers.set("Origin", url);
        return fetch(input, { ...options, headers });
      };
      await use((who) =>
        Vestry.login({ url, fetch: fetchThere, ...(typeof who === "string" ? logins[who] : who) }),
      );
    },
    { scope: "worker" },
  ],

  office: [
    async ({ program }, use) => use(await program("full administrator")),
    { scope: "worker" },
  ],

  sessionOf: [
    async ({ playwright }, use) => {
      const { url } = theService();
      const logIn = async (login: Login): Promise<State> => {
        const request = await playwright.request.newContext({ baseURL: url });
        const answer = await request.post("/session", { data: login, headers: { Origin: url } });
        expect(answer.ok(), await answer.text()).toBe(true);
        return request.storageState();
      };
      const states = new Map<string, Promise<State>>();
      await use((who) => {
        const login = typeof who === "string" ? theService().logins[who] : who;
        const state = states.get(login.username) ?? logIn(login);
        states.set(login.username, state);
        return state;
      });
    },
    { scope: "worker" },
  ],

  bench: async ({ browser }, use, info) => {
    const bench = new Bench((options) => browser.newContext(options));
    await use(bench);
    if (info.errors.length === 0) {
      if (info.project.name === axeWidthOf(fileOf(info))) await bench.expectAccessible();
      bench.expectQuiet();
    }
    await bench.close();
    noteScripts(info, bench.scripts);
  },

  as: ({ bench, sessionOf }, use) =>
    use(async (who, path = "/") => bench.open(path, { storageState: await sessionOf(who) })),

  stranger: async ({ bench, expectMessage }, use) => {
    await use((path = "/") => {
      if (!/^\/(login|set-password)/.test(path)) expectMessage(NO_SESSION);
      return bench.open(path);
    });
  },

  device: async (
    {
      baseURL,
      bench,
      colorScheme,
      contextOptions,
      hasTouch,
      isMobile,
      locale,
      playwright,
      timezoneId,
      viewport,
    },
    use,
  ) => {
    const look = { colorScheme, hasTouch, isMobile, locale, timezoneId, viewport };
    const options = {
      ...contextOptions,
      ...look,
      ...(baseURL !== undefined && { baseURL }),
      // A browser keeps pages for the button Back. Playwright switches that off.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    };
    const profile = await mkdtemp(join(tmpdir(), "vestry-device-"));
    await use(async () => {
      const context = await playwright.chromium.launchPersistentContext(profile, options);
      bench.watch(context);
      const [page] = context.pages();
      return page ?? context.newPage();
    });
    await bench.close();
    await rm(profile, { recursive: true, force: true });
  },

  expectMessage: ({ bench }, use) => use((pattern) => void bench.expected.push(pattern)),
});

/** Where the file of a test is, from this folder. */
const fileOf = ({ file }: TestInfo) => relative(import.meta.dirname, file).replaceAll("\\", "/");

/** Says which scripts the pages of a test loaded, if `run.ts` asks for it. */
function noteScripts(info: TestInfo, scripts: ReadonlySet<string>): void {
  const path = process.env.WEB_LOADED;
  if (path === undefined || info.status !== "passed") return;
  const [, ...titles] = info.titlePath;
  const line = { file: fileOf(info), title: titles.join(" › "), scripts: [...scripts] };
  appendFileSync(path, `${JSON.stringify(line satisfies Loaded)}\n`);
}

/** The browsers of a test. At its end, every open page is accessible, and no page has written to its console. */
class Bench {
  // Only journeys about the service worker let it run.
  readonly expected: RegExp[] = [/Service Worker registration blocked/];
  readonly scripts = new Set<string>();
  readonly #sources: (BrowserContext | Page)[] = [];
  readonly #messages: string[] = [];
  readonly #newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;

  constructor(newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>) {
    this.#newContext = newContext;
  }

  async open(path: string, options?: BrowserContextOptions): Promise<Page> {
    const context = await this.#newContext(options);
    this.watch(context);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  /** Takes over a context, or a page of a context that several tests share. It is closed at the end. */
  watch(source: BrowserContext | Page): void {
    this.#sources.push(source);
    const keep = (message: string) => void this.#messages.push(message);
    source.on("console", (message) => keep(`${message.text()} ${message.location().url}`));
    if (isPage(source)) source.on("pageerror", ({ message }) => keep(message));
    else source.on("weberror", (error) => keep(error.error().message));
    source.on("request", (request) => {
      const script = /\/(assets\/[^/]+\.js)$/.exec(request.url())?.[1];
      // The worker of a page loads every script.
      if (script !== undefined && request.serviceWorker() === null) this.scripts.add(script);
    });
  }

  /** Axe looks at one of the pages that have the same address. */
  async expectAccessible(): Promise<void> {
    const pages = this.#sources.flatMap((one) => (isPage(one) ? one : one.pages()));
    for (const page of new Map(pages.map((one) => [one.url(), one])).values())
      if (looked.get(page) !== page.url()) await expectAccessible(page);
  }

  expectQuiet(): void {
    expect(
      this.#messages.filter((message) => !this.expected.some((pattern) => pattern.test(message))),
    ).toEqual([]);
  }

  async close(): Promise<void> {
    for (const source of this.#sources) await source.close();
  }
}

const isPage = (source: BrowserContext | Page): source is Page => "context" in source;

/** Waits for a mail to this address, and returns the link in it. */
export async function linkSentTo(address: string): Promise<string> {
  const { mails, url } = theService();
  let link: string | undefined;
  await expect(async () => {
    const names = await readdir(mails);
    const name = names.find((one) => one.startsWith(`${address} `));
    expect(name, `a mail to ${address}`).toBeDefined();
    const text = await readFile(join(mails, name ?? ""), "utf8");
    link = text.match(/https?:\S+/g)?.find((one) => one.startsWith(url));
    expect(link, text).toBeDefined();
  }).toPass();
  return link ?? "";
}

/** Keeps the news of colleagues from a page. The browser reports the failure, and the app asks every 30 seconds. */
export const withoutStream = (page: Page): Promise<unknown> =>
  page.route("**/v1/changes/stream", (route) => route.abort());

/** Fills the form of the log-in and sends it. */
export async function logIn(within: Locator, { username, password }: Login): Promise<void> {
  await within.getByLabel("E-mail").fill(username);
  await within.getByLabel("Password", { exact: true }).fill(password);
  await within.getByRole("button", { name: "Log in" }).click();
}

/** Moves the focus to a control with the key Tab, as a person does who looks for it. */
export async function moveFocus(page: Page, name: string | RegExp): Promise<void> {
  const target = page
    .locator(":focus")
    .and(
      page
        .getByRole("button", { name })
        .or(page.getByRole("link", { name }))
        .or(page.getByLabel(name))
        .or(page.getByRole("tab", { name })),
    );
  for (let presses = 0; presses < 80; presses++) {
    if ((await target.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

/** Returns the violations that axe finds in the page, or in the elements of a selector. */
export async function violationsOf(page: Page, options: axe.RunOptions, within = "html") {
  await page.evaluate(axe.source);
  // Only rules about films and turned screens need the files of a page again.
  const all: axe.RunOptions = { ...options, resultTypes: ["violations"], preload: false };
  return page.evaluate(
    async ({ all, within }) => {
      const { axe: rules } = globalThis as unknown as { axe: typeof axe };
      return (await rules.run(within, all)).violations;
    },
    { all, within },
  );
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The address at which axe looked at a page. */
const looked = new WeakMap<Page, string>();

/** No violation of WCAG 2.2 AA or of the best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  looked.set(page, page.url());
  // In the middle of a transition, a text of the new theme stands on a ground of the old one.
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
  // A popover belongs to no landmark. A modal dialog hides the page with its heading and landmarks.
  const isModal = await page.locator('html[style*="overflow: hidden"]').count();
  const off =
    isModal > 0
      ? ["region", "landmark-one-main", "page-has-heading-one"]
      : (await page.locator("[data-trigger]").count()) > 0
        ? ["region"]
        : [];
  const violations = await violationsOf(page, {
    runOnly: RULES,
    rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
  });
  const found = violations.map(({ help, id, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ failureSummary, html }) => `${html}\n${failureSummary}`),
  }));
  expect(found, `${page.url()} is not accessible`).toEqual([]);
}

/** No element makes the page scroll sideways. */
export async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(wide), "These elements are wider than the page.").toEqual([]);
}

/** The elements that make the page scroll sideways. Runs in the page. */
function wide(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const found = [...document.body.querySelectorAll("*")].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left < -1 || right > clientWidth + 1;
  });
  return [
    `${scrollWidth} > ${clientWidth}`,
    ...found.slice(0, 5).map((one) => one.outerHTML.slice(0, 200)),
  ];
}
