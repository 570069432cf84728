/**
 * `npm run test:web [-- --budgets | --gallery] [files] [options of playwright test]`
 * `npm run pictures` makes the pictures of the README.
 *
 * Runs the journeys and the screens in Chromium, against a service of their own. With --budgets, sizes, requests and times
 * are measured and printed, and those above their limit fail. With --gallery, only the components are tested, without a service.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const playwright = fileURLToPath(
  new URL("../node_modules/@playwright/test/cli.js", import.meta.url),
);
const args = process.argv.slice(2);
const purpose = ["budgets", "gallery", "pictures"].find((name) => args.includes(`--${name}`));

process.exitCode =
  spawnSync(
    process.execPath,
    [playwright, "test", "--config", web, ...args.filter((one) => one !== `--${purpose}`)],
    {
      stdio: "inherit",
      env: { ...process.env, ...(purpose !== undefined && { WEB_TESTS: purpose }) },
    },
  ).status ?? 1;
