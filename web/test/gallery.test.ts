import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { build, type Rolldown } from "vite";
import { expectAccessible, expectToFit, moveFocus, violationsOf } from "./bed.ts";

/** Every component of `web/src/ui/` in its states, drawn by `web/src/ui/gallery.tsx`. No service takes part. */

const web = fileURLToPath(new URL("..", import.meta.url));

type Files = ReadonlyMap<string, string | Buffer>;

const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

type OfTest = {
  /** Opens the gallery, or one section of it. */
  open: (look?: { section?: string; dir?: "rtl"; text?: "long" }) => Promise<Locator>;
};

const test = base.extend<OfTest, { files: Files }>({
  baseURL: "http://localhost",

  files: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      // React then reports mistakes to the console, and texts stand in the code.
      process.env.NODE_ENV = "development";
      const built = await build({
        configFile: `${web}vite.config.ts`,
        logLevel: "warn",
        build: {
          write: false,
          minify: false,
          rolldownOptions: { input: `${web}gallery.html` },
        },
      });
      const { output } = built as Rolldown.RolldownOutput;
      await use(
        new Map(
          output.map((file) => [
            `/${file.fileName}`,
            file.type === "chunk"
              ? file.code
              : typeof file.source === "string"
                ? file.source
                : Buffer.from(file.source),
          ]),
        ),
      );
    },
    { scope: "worker" },
  ],

  open: async ({ page, files }, use) => {
    const messages: string[] = [];
    page.on("pageerror", ({ message }) => messages.push(message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) messages.push(message.text());
    });
    await page.route("**/*", (route) => {
      const { pathname } = new URL(route.request().url());
      const body = files.get(pathname);
      const contentType = TYPES[pathname.replace(/^.*\./, "")] ?? "";
      return route.fulfill(
        body === undefined ? { path: `${web}public${pathname}` } : { body, contentType },
      );
    });
    await use(async (look) => {
      await page.goto(`/gallery.html?${new URLSearchParams(look)}`);
      // Comboboxes arrive after the first content.
      const comboboxes = /^(Fields|undefined)$/.test(`${look?.section}`) ? 2 : 0;
      await expect(page.locator("[role=combobox]")).toHaveCount(comboboxes);
      return page.getByRole("main");
    });
    expect(messages).toEqual([]);
  },
});

// A trace keeps the page after each key, and one test presses hundreds of keys.
test.use({ trace: "on-first-retry" });

test("the gallery draws every component", () => {
  const ui = `${web}src/ui/`;
  const read = (path: string) => [path, readFileSync(ui + path, "utf8")] as const;
  const sources = readdirSync(ui)
    .filter((name) => name.endsWith(".tsx") && name !== "gallery.tsx")
    .map(read);
  const late = sources.flatMap(([, text]) =>
    [...text.matchAll(/import\("\.\/(.+?)"\)/g)].map(([, path]) => path),
  );
  const drawn = readdirSync(`${ui}gallery`)
    .map((name) => `gallery/${name}`)
    .concat("gallery.tsx")
    .map((path) => read(path)[1])
    .join("\n");
  const missing = sources
    // Another component loads and draws these.
    .filter(([path]) => !late.includes(path))
    .flatMap(([path, text]) => {
      const names = [
        ...text.matchAll(/^export (?:const|function) ([A-Z][a-z]\w*|use[A-Z]\w*)/gm),
      ].map(([, name = ""]) => name);
      if (names.length === 0) return [`${path} exports no component.`];
      return names.filter((name) => !new RegExp(`<${name}\\b|\\b${name}\\(`).test(drawn));
    });
  expect(missing).toEqual([]);
});

const devices = {
  "1280": { viewport: { width: 1280, height: 820 } },
  "390": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

/** Everything that can have the focus by itself. */
const CONTROLS =
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";

for (const [width, device] of Object.entries(devices))
  test.describe(width, () => {
    test.use(device);

    for (const colorScheme of ["light", "dark"] as const)
      test.describe(colorScheme, () => {
        test.use({ colorScheme });

        test("every component is accessible", async ({ open, page }) => {
          await open();
          await expectAccessible(page);
        });

        test("everything that opens is accessible", async ({ open, page }) => {
          for (const section of ["Overlays", "Lists"]) {
            await open({ section });
            for (const opener of await page.locator("main [aria-haspopup]").all()) {
              await opener.click();
              await expect(page.locator("[role$=dialog], [role=menu]").first()).toBeVisible();
              await expectAccessible(page);
              await page.keyboard.press("Escape");
              await expect(opener).toBeFocused();
            }
          }
          await open({ section: "Fields" });
          await page.getByRole("combobox", { name: "Person", exact: true }).fill("an");
          await expect(page.getByRole("option", { name: "Ana Costa" })).toBeVisible();
          // React Aria hides the page from assistive technology, and the focus stays in the input.
          const violations = await violationsOf(page, {}, "[role=listbox]");
          expect(violations.map(({ help }) => help)).toEqual([]);
        });
      });

    test("no component is wider than the page", async ({ open, page }) => {
      await open();
      await expectToFit(page);
    });

    test("no component is wider than the page, with long words from right to left", async ({
      open,
      page,
    }) => {
      await open({ dir: "rtl", text: "long" });
      await expectToFit(page);
    });

    test("the Tab key reaches every control, which shows that it has the focus", async ({
      open,
      page,
    }) => {
      await open();
      const walk = await page.evaluateHandle(watchFocus, CONTROLS);
      for (let presses = 0; presses < 1_000; presses++) {
        await page.keyboard.press("Tab");
        if (presses % 20 === 0 && (await walk.evaluate(({ isOver }) => isOver))) break;
      }
      expect(
        await walk.evaluate(({ unreached, unseen }) => ({
          unreached: [...unreached].map(({ outerHTML }) => outerHTML.slice(0, 200)),
          unseen,
        })),
      ).toEqual({ unreached: [], unseen: [] });
    });

    test("every target is large enough", async ({ open, page }) => {
      await open();
      const lowest = width === "390" ? 40 : 24;
      expect(await page.evaluate(smallTargets, { controls: CONTROLS, lowest })).toEqual([]);
    });
  });

for (const colorScheme of ["light", "dark"] as const)
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("a control under the pointer keeps its contrast", async ({ open, page }) => {
      await open();
      await press(page);
      const violations = await violationsOf(page, { runOnly: ["color-contrast"] });
      expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
    });
  });

/** Draws all controls and rows as if the pointer pressed each of them. */
async function press(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("DOM.enable");
  await browser.send("CSS.enable");
  const { root } = await browser.send("DOM.getDocument");
  const { nodeIds } = await browser.send("DOM.querySelectorAll", {
    nodeId: root.nodeId,
    selector: `${CONTROLS}, [role=row]`,
  });
  for (const nodeId of nodeIds)
    await browser.send("CSS.forcePseudoState", {
      nodeId,
      forcedPseudoClasses: ["hover", "active"],
    });
}

/** Notes which controls the focus has not reached, and those that look the same with it. Runs in the page. */
function watchFocus(selector: string) {
  const look = (control: Element) =>
    [control, control.parentElement, control.parentElement?.parentElement].map((one) => {
      const { outline, boxShadow } = one ? getComputedStyle(one) : {};
      return `${outline} ${boxShadow}`;
    });
  const isExpected = (control: Element) => {
    if (!control.checkVisibility({ visibilityProperty: true })) return false;
    if (control.matches(":disabled, [inert] *, [tabindex='-1']")) return false;
    // The Tab key reaches one radio button of a group.
    return !(control instanceof HTMLInputElement) || control.type !== "radio" || control.checked;
  };
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const controls = [...document.querySelectorAll(selector)].filter(isExpected);
  const looks = new Map(controls.map((control) => [control, look(control).join()]));
  const walk = { unreached: new Set(controls), unseen: [] as string[], isOver: false };
  let first: Element | undefined;
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    walk.isOver ||= target === first;
    first ??= target;
    walk.unreached.delete(target);
    if (look(target).join() === looks.get(target)) walk.unseen.push(target.outerHTML.slice(0, 200));
  });
  return walk;
}

/** The controls that a finger misses. A link in a sentence can be as low as its line. Runs in the page. */
function smallTargets({ controls, lowest }: { controls: string; lowest: number }): string[] {
  return [...document.querySelectorAll<HTMLElement>(controls)]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => getComputedStyle(control).display !== "inline")
    .filter((control) => !control.matches("[data-summary] *, [role=table] *, [role=listitem] a"))
    .flatMap((control) => {
      const { width, height } = (control.closest("label") ?? control).getBoundingClientRect();
      return width >= 24 && height >= lowest
        ? []
        : [`${Math.round(width)} × ${Math.round(height)} ${control.outerHTML.slice(0, 160)}`];
    });
}

test("a long name in a list ends before the next column", async ({ open }) => {
  const main = await open({ section: "Lists" });
  const names = await main
    .locator("[role=row][data-index] a")
    .evaluateAll((links) =>
      links
        .filter((link) => link.scrollWidth > link.clientWidth)
        .map((link) => getComputedStyle(link).overflowX),
    );
  expect([...new Set(names)]).toEqual(["hidden"]);
});

test.describe("with the keyboard", () => {
  test("a control that is disabled with a reason has the focus and says the reason", async ({
    open,
    page,
  }) => {
    const main = await open({ section: "Buttons" });
    const buttons = main.getByRole("button", { name: "Send", exact: true });
    await expect(buttons).toHaveCount(5);
    for (const button of await buttons.all()) {
      await button.focus();
      await expect(button).toBeFocused();
      await expect(button).toHaveAccessibleDescription("Choose a person first.");
    }
    await page.keyboard.press("Enter");
    await expect(main.getByText("Choose a person first.").filter({ visible: true })).toHaveCount(1);
  });

  test("a busy button keeps its name and its width", async ({ open }) => {
    const main = await open({ section: "Buttons" });
    const sizes = await main
      .getByRole("button", { name: "Save", exact: true })
      .evaluateAll((buttons) =>
        buttons.map((button) => [button.ariaBusy === "true", button.getBoundingClientRect().width]),
      );
    const widths = (busy: boolean) =>
      sizes.filter(([isBusy]) => isBusy === busy).map(([, width]) => width);
    expect(widths(true)).toHaveLength(5);
    expect(widths(true)).toEqual(widths(false));
  });

  test("a dialog keeps the focus, closes with Escape and returns the focus", async ({
    open,
    page,
  }) => {
    const main = await open({ section: "Overlays" });
    const opener = main.getByRole("button", { name: "Open the dialog" });
    await opener.press("Enter");
    const dialog = page.getByRole("dialog");
    // A Tab before the dialog has the focus moves it to another button, which then gets it back.
    await expect(page.locator("[role=dialog]:focus, [role=dialog] :focus")).toHaveCount(1);
    await moveFocus(page, "In the dialog");
    await moveFocus(page, "Save");
    await page.keyboard.press("Tab");
    await expect(dialog.locator(":focus")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });

  test("an entry of a menu is chosen, and an impossible one says why", async ({ open, page }) => {
    const main = await open({ section: "Overlays" });
    const opener = main.getByRole("button", { name: "More" });
    await opener.press("Enter");
    const write = page.getByRole("menuitem", { name: "Write" });
    const send = page.getByRole("menuitem", { name: "Send" });
    await expect(write).toBeFocused();
    await expect(send).toHaveAccessibleName("Send. Choose a person first.");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem", { name: "The group" })).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(write).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(main.getByText("Written")).toBeVisible();
    await expect(opener).toBeFocused();
  });

  test("a toast is undone", async ({ open }) => {
    const main = await open({ section: "Overlays" });
    await main.getByRole("button", { name: "Delete (kept)" }).press("Enter");
    await expect(main.getByRole("button", { name: "Delete (deleted)" })).toBeVisible();
    await main.getByRole("button", { name: "Undo" }).press("Enter");
    await expect(main.getByRole("button", { name: "Delete (kept)" })).toBeVisible();
    await expect(main.getByText("Ana Costa was deleted")).toBeHidden();
  });

  test("a choice of a combobox is found, chosen and cleared", async ({ open, page }) => {
    const main = await open({ section: "Fields" });
    const combo = main.getByRole("combobox", { name: "Person", exact: true });
    await combo.pressSequentially("ru");
    await expect(page.getByRole("option")).toHaveText("RSRui SantosAlfama");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(combo).toHaveValue("Rui Santos");
    // A text without a choice does not stay.
    await combo.fill("nobody");
    await page.keyboard.press("Tab");
    await expect(combo).toHaveValue("Rui Santos");
    await combo.fill("");
    await page.keyboard.press("Tab");
    await expect(combo).toHaveValue("");
  });

  test("a date is typed in its parts, and an error belongs to all of them", async ({
    open,
    page,
  }) => {
    const main = await open({ section: "Fields" });
    const date = main.getByRole("group", { name: "Filled date" });
    await expect(date).toHaveAccessibleDescription("2026-03-01");
    await date.getByLabel("Day").fill("31");
    await date.getByLabel("Month").press("F");
    await expect(date).toHaveAccessibleDescription("2026-02-31 There is no such day.");
    await expect(date.locator("[aria-invalid=true]")).toHaveCount(3);
    await date.getByLabel("Day").press("End");
    await page.keyboard.press("Backspace");
    await expect(date).toHaveAccessibleDescription("2026-02-03");
    await expect(date.locator("[aria-invalid=true]")).toHaveCount(0);
  });

  test("arrows choose a segment", async ({ open }) => {
    const view = (await open({ section: "Fields" })).getByRole("radiogroup", { name: "View" });
    await view.getByRole("radio", { name: "List" }).press("ArrowRight");
    await expect(view.getByRole("radio", { name: "Tree of all groups" })).toBeChecked();
  });

  test("the space bar marks a row, and a row that moves keeps the focus", async ({ open }) => {
    const main = await open({ section: "Rows" });
    const row = main.getByRole("button", { name: "Ana Costa", exact: true });
    await row.press("Space");
    await expect(row).toHaveAttribute("aria-pressed", "true");
    const move = main.getByRole("button", { name: "Move down: Ana Costa" });
    await move.press("Enter");
    await expect(main.getByText("Ana Costa: place 2 of 3")).toBeAttached();
    await expect(move).toBeFocused();
  });

  test("a tab is a link to its address, and the current one says so", async ({ open }) => {
    const main = await open({ section: "Pages" });
    const tabs = main.getByRole("navigation", { name: "About the group" });
    await expect(tabs.getByRole("link", { name: "Members" })).toHaveAttribute("href", "/people/1");
    const meetings = tabs.getByRole("link", { name: "Meetings" });
    await expect(meetings).toHaveAttribute("href", "/people/1?tab=meetings");
    await meetings.press("Enter");
    await expect(meetings).toHaveAttribute("aria-current", "page");
    await expect(meetings).toBeFocused();
  });
});
