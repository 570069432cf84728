import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where systems install Chromium. The tests download no browser. */
const executable = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => existsSync(path));

/** The reason to skip tests in a browser, or false. */
export const noBrowser: string | false =
  executable === undefined &&
  "Chromium is not installed. On Debian: apt-get install chromium fonts-dejavu";

/** Chromium cannot use its sandbox as root or in most containers. The tests open only their own pages. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: executable ?? "", args: ["--no-sandbox"] });
