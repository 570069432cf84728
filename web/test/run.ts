/**
 * `npm run test:web [-- --core | --changed | --whole] [--map] [--seed=<number>] [files] [options of playwright test]`
 * `npm run test:web -- --budgets | --gallery`
 * `npm run pictures` makes the pictures of the README.
 *
 * Runs the journeys, the screens and the gallery in Chromium, against a service of their own: each at the widths of its plan
 * (choice/plan.ts). --core runs those of CI, a part of them chosen by the seed, and --whole runs every test at both widths.
 * --changed runs those that the last commit and the uncommitted changes can affect, by the parts of the app that choice/map.json
 * says they load. --whole and --map update this map.
 *
 * With --budgets, sizes, requests and times are measured and printed, and those above their limit fail. With --gallery, only the
 * components are tested, without a service.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changedFiles } from "../../server/test/support/changed.ts";
import { affected } from "./choice/affected.ts";
import { hashesOf, type Loaded, readMap, updateMap } from "./choice/map.ts";
import { importersOf } from "./choice/parts.ts";
import { coreOf, isPlanned, type Test, unknownEntries, type Width } from "./choice/plan.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const web = join(root, "web");
const cli = join(web, "node_modules/@playwright/test/cli.js");

/** They choose no tests. */
const OTHERS = ["budgets", "gallery", "pictures"];
const OWN = [...OTHERS, "core", "changed", "whole", "map"];
const SEED = "--seed=";
const isSeed = (option: string) => option.startsWith(SEED);
const given = process.argv.slice(2);
const has = (name: string) => given.includes(`--${name}`);
const options = given.filter((one) => !OWN.some((name) => one === `--${name}`) && !isSeed(one));
const seed = given.find(isSeed)?.slice(SEED.length) ?? String(randomInt(1_000_000));

const purpose = [...OTHERS, "whole"].find(has);
const env = { ...process.env, ...(purpose !== undefined && { WEB_TESTS: purpose }) };

process.exitCode = OTHERS.some(has) ? playwright() : runChosen();

function playwright(more: string[] = [], added: NodeJS.ProcessEnv = {}): number {
  const args = [cli, "test", "--config", web, ...options, ...more];
  return (
    spawnSync(process.execPath, args, { stdio: "inherit", env: { ...env, ...added } }).status ?? 1
  );
}

function runChosen(): number {
  const tests = listTests();
  const unknown = unknownEntries(tests);
  if (unknown.length > 0)
    throw new Error(`The plan of the tests has no test for ${unknown.join()}.`);
  const chosen = choose(tests);
  console.error(`${chosen.length} of ${tests.length} tests are chosen, by the seed ${seed}.`);
  if (chosen.length === 0) return 0;
  const directory = mkdtempSync(join(tmpdir(), "vestry-chosen-"));
  try {
    const list = join(directory, "tests");
    const loaded = join(directory, "loaded");
    const lines = chosen.map(({ file, title, width }) => `[${width}] › ${file} › ${title}`);
    writeFileSync(list, lines.join("\n"));
    writeFileSync(loaded, "");
    const code = playwright(["--test-list", list], { WEB_LOADED: loaded });
    if (code === 0 && (has("whole") || has("map"))) updateMap(readLines(loaded));
    return code;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function readLines(path: string): Loaded[] {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Loaded);
}

function choose(tests: Test[]): Test[] {
  if (has("whole")) return tests;
  if (has("core")) return [...coreOf(tests, seed)];
  if (!has("changed")) return tests.filter(isPlanned);
  const hashes = hashesOf([...new Set(tests.map(({ file }) => file))]);
  return affected(tests, changedFiles(root), readMap(), importersOf(root), hashes, seed);
}

type Suite = {
  title: string;
  file: string;
  suites?: Suite[];
  specs: { title: string; tests: { projectName: Width }[] }[];
};

/** Every test at every width. */
function listTests(): Test[] {
  const args = [cli, "test", "--config", web, "--list", "--reporter=json"];
  const output = execFileSync(process.execPath, args, {
    encoding: "utf8",
    env,
    maxBuffer: 2 ** 26,
  });
  const testsOf = ({ file, specs, suites = [] }: Suite, above: string[]): Test[] => [
    ...specs.flatMap(({ tests, title }) =>
      tests.map(({ projectName: width }) => ({
        file,
        title: [...above, title].join(" › "),
        width,
      })),
    ),
    ...suites.flatMap((suite) => testsOf(suite, [...above, suite.title])),
  ];
  return (JSON.parse(output) as { suites: Suite[] }).suites.flatMap((suite) => testsOf(suite, []));
}
