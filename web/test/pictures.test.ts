import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, test } from "./bed.ts";
import type { Standing } from "./service.ts";

/** `npm run pictures` makes the pictures of the README from the demo church. They show the day on which they were made. */

const desktop = { width: 1280, height: 820 };
const phone = { width: 390, height: 844 };

const pictures: readonly [
  name: string,
  size: typeof desktop,
  who: Standing,
  path: string,
  act?: (page: Page) => Promise<void>,
][] = [
  ["home-1280", desktop, "administrator", "/"],
  ["people-1280", desktop, "secretary", "/people"],
  [
    "report-390",
    phone,
    "leader",
    "/report",
    async (page) => {
      for (const name of ["Bia", "Dulce da Silva", "Helena Matos"])
        await page
          .getByRole("listitem")
          .filter({ hasText: name })
          .locator("[aria-pressed]")
          .first()
          .tap();
    },
  ],
  [
    "person-390",
    phone,
    "secretary",
    "/people?q=Helena+Matos",
    async (page) => {
      await page.getByRole("link", { name: /^Helena Matos/ }).tap();
      await expect(page.getByRole("heading", { level: 1, name: "Helena Matos" })).toBeVisible();
    },
  ],
];

for (const [name, viewport, who, path, act] of pictures)
  test(name, async ({ bench, sessionOf }) => {
    const page = await bench.open(path, {
      storageState: await sessionOf(who),
      viewport,
      deviceScaleFactor: viewport === phone ? 2 : 1,
      hasTouch: viewport === phone,
      isMobile: viewport === phone,
      locale: "en-GB",
    });
    await expect(page.locator("h1").first()).toBeVisible();
    await act?.(page);
    await expect(page.locator("[aria-busy=true], [class*=skeleton]")).toHaveCount(0);
    const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
    await page.screenshot({ path: `${folder}${name}.png` });
  });
