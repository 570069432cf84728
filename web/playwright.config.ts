import { existsSync } from "node:fs";
import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";

/** Where systems install Chromium. The tests download no browser. */
const executablePath = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => existsSync(path));

/** `run.ts` names another purpose than the tests. */
const purpose = process.env.WEB_TESTS;
const measures = purpose === "budgets";

const desktop = { viewport: { width: 1280, height: 820 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const files: Record<string, string | string[]> = {
  tests: ["journeys/**/*.test.ts", "screens.test.ts"],
  budgets: "budget.test.ts",
  pictures: "pictures.test.ts",
  gallery: "gallery.test.ts",
};

export default defineConfig({
  testDir: "test",
  outputDir: "test-results",
  // The gallery needs no service.
  globalSetup: purpose === "gallery" ? undefined : "./test/service.ts",
  testMatch: files[purpose ?? "tests"],
  fullyParallel: !measures,
  // Times are measured alone.
  workers: measures ? 1 : 2,
  // No test waits for time, so only those that hang take so long, even on a busy machine.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // A busy machine can keep a browser waiting. Playwright prints a test that needs its second attempt as flaky.
  retries: measures ? 0 : 1,
  reporter: "list",
  use: {
    locale: "en-GB",
    timezoneId: "Europe/Lisbon",
    colorScheme: "light",
    // Chromium cannot use its sandbox as root or in most containers. The tests open only their own pages.
    launchOptions: { executablePath: executablePath ?? "", args: ["--no-sandbox"] },
    contextOptions: { reducedMotion: "reduce" },
    trace: "retain-on-failure",
  },
  projects: purpose
    ? [{ name: purpose, use: desktop }]
    : [
        { name: "1280", use: desktop },
        { name: "390", use: phone },
        { name: "gallery", use: desktop, testMatch: files.gallery },
      ],
} satisfies PlaywrightTestConfig);
