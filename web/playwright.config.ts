import { existsSync } from "node:fs";
import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";

/** Where systems install Chromium. The tests download no browser. */
const executablePath = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => existsSync(path));

const desktop = { viewport: { width: 1280, height: 820 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The files of other purposes than the tests, which `run.ts` names. It also chooses among the tests. */
const others: Record<string, string> = {
  budgets: "budget.test.ts",
  gallery: "gallery.test.ts",
  pictures: "pictures.test.ts",
};
const purpose = process.env.WEB_TESTS ?? "tests";
const other = others[purpose];
const isMeasured = purpose === "budgets";

export default defineConfig({
  testDir: "test",
  outputDir: "test-results",
  // The gallery needs no service.
  globalSetup: purpose === "gallery" ? undefined : "./test/service.ts",
  testMatch: other ?? ["journeys/**/*.test.ts", "screens.test.ts"],
  fullyParallel: !isMeasured,
  // Times are measured alone.
  workers: isMeasured ? 1 : 2,
  // No test waits for time, so only those that hang take so long, even on a busy machine.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // The second attempt leaves a trace. A test that needs it is printed as flaky, and fails the full check.
  retries: isMeasured ? 0 : 1,
  failOnFlakyTests: purpose === "whole",
  reporter: "list",
  use: {
    locale: "en-GB",
    timezoneId: "Europe/Lisbon",
    colorScheme: "light",
    // Chromium cannot use its sandbox as root or in most containers. The tests open only their own pages.
    launchOptions: { executablePath: executablePath ?? "", args: ["--no-sandbox"] },
    contextOptions: { reducedMotion: "reduce" },
    // The worker of a new browser loads every script. Journeys that need it let it run, and in the full check it always runs.
    serviceWorkers: purpose === "tests" ? "block" : "allow",
    trace: "on-first-retry",
  },
  projects: other
    ? [{ name: purpose, use: desktop }]
    : [
        { name: "1280", use: desktop },
        { name: "390", use: phone },
        { name: "gallery", use: desktop, testMatch: others.gallery },
      ],
} satisfies PlaywrightTestConfig);
