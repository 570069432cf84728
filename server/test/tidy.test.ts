import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { describedCatalogue, features } from "../src/catalogue.ts";
import { type Feature, typesOf } from "../src/jsonapi/definition/feature.ts";
import { findOffenders, scopes } from "./support/plain-english.ts";

const { declared } = describedCatalogue;

/** House rules, each with the advice that goes with it. */

const root = new URL("../../", import.meta.url);

interface File {
  /** From the repository's root. */
  path: string;
  text: string;
}

async function filesIn(folder: string, pattern: RegExp): Promise<File[]> {
  const names = await readdir(new URL(folder, root), { recursive: true });
  const paths = names
    .map((name) => folder + name.replaceAll("\\", "/"))
    .filter((path) => pattern.test(path));
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(new URL(path, root), "utf8") })),
  );
}

const written = /^(?!.*node_modules)(?!.*\/\.).*\.(ts|mjs|sql)$/;
const everything = [
  ...(await filesIn("sdk/src/", written)),
  ...(await filesIn("server/", written)),
  ...(await filesIn("web/test/", written)),
];
const isTest = ({ path }: File) => path.endsWith(".test.ts") || /^(server|web)\/test\//.test(path);
const tests = everything.filter(isTest);
const sources = everything
  .filter((file) => file.path.startsWith("server/src/") && !isTest(file))
  .map(({ path, text }) => ({ path: path.slice("server/src/".length), text }));

/** A room imports only from the rooms above it in this list. Rooms on one line do not import each other. */
const layers: readonly (readonly string[])[] = [
  ["base"],
  ["store"],
  ["jobs"],
  ["mail"],
  ["access"],
  ["events"],
  ["jsonapi"],
  ["features", "webhooks"],
  ["catalogue.ts"],
  ["contract"],
  ["sample-data"],
  ["app"],
  ["cli"],
];

const layerOf = (path: string): number =>
  layers.findIndex((rooms) => rooms.includes(path.split("/")[0] ?? ""));

/** Each feature is a room of its own. */
const roomOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("features/") ? 2 : 1)
    .join("/");

/** The imports of a room, relative to the root of the sources. */
function* importsOf({ path, text }: File): Generator<string> {
  for (const [, one = "", other = ""] of text.matchAll(
    /(?:from|^import) "(\.[^"]+)"|import\("(\.[^"]+)"\)/gm,
  ))
    yield new URL(one || other, `file:///${path}`).pathname.slice(1);
}

test("a room imports only from lower layers, and features never import each other", () => {
  const wrong = sources.flatMap((file) =>
    [...importsOf(file)]
      .filter((target) => roomOf(target) !== roomOf(file.path))
      .filter((target) => layerOf(target) >= layerOf(file.path))
      .map((target) => `${file.path} imports ${target}`),
  );
  assert.deepEqual(
    wrong,
    [],
    "refer to another feature by name, or move the shared code to a lower layer",
  );
});

const kernel = ["definition", "request", "response", "sql", "routes"];

test("the rooms of the kernel import only from rooms before them", () => {
  const placeOf = (path: string) => kernel.indexOf(path.split("/")[1] ?? "");
  const wrong = sources
    .filter(({ path }) => path.startsWith("jsonapi/"))
    .flatMap((file) =>
      [...importsOf(file)]
        .filter((target) => target.startsWith("jsonapi/") && placeOf(target) > placeOf(file.path))
        .map((target) => `${file.path} imports ${target}`),
    );
  assert.deepEqual(wrong, [], `the order is ${kernel.join(", ")}`);
});

test("other rooms import webhooks through its index.ts", () => {
  const wrong = sources
    .filter(({ path }) => !path.startsWith("webhooks/"))
    .flatMap((file) =>
      [...importsOf(file)]
        .filter((target) => target.startsWith("webhooks/") && target !== "webhooks/index.ts")
        .map((target) => `${file.path} imports ${target}`),
    );
  assert.deepEqual(wrong, [], "export it from webhooks/index.ts");
});

test("files do not import each other in a circle, types included", () => {
  const imports = new Map(sources.map((file) => [file.path, [...importsOf(file)]]));
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path))
      return void circles.push([...trail.slice(trail.indexOf(path)), path].join(" ▶ "));
    if (finished.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  assert.deepEqual(circles, [], "move what both need to a file of its own");
});

/** The rooms of the web app. Here, too, a room imports only from the lines above its own. */
const layersOfTheApp: readonly (readonly string[])[] = [
  ["data", "ui"],
  ["app"],
  ["records"],
  ["history", "joining"],
  ["cells", "forms", "home", "people", "print", "profile", "sheet", "webhooks"],
];

/** `data/` goes by the clock of the service and by the formats, which are in `ui/`, and by the rule of passwords of the service. */
const forData = [
  "ui/clock.ts",
  "ui/format.ts",
  "server/src/base/new-password.ts",
  "server/src/access/common-passwords.txt",
];

test("rooms of the web app import only from lower layers, and only data/ calls the client", async () => {
  const files = (await filesIn("web/src/", /\.tsx?$/))
    .map(({ path, text }) => ({ path: path.slice("web/src/".length), text }))
    .filter(({ path }) => path.includes("/") && !path.endsWith(".test.ts"));
  const levelOf = (path: string) =>
    layersOfTheApp.findIndex((rooms) => rooms.includes(roomOf(path)));
  const wrong = files.flatMap((file) =>
    [...importsOf(file)]
      .filter((target) => roomOf(target) !== roomOf(file.path))
      .filter((target) => !(roomOf(file.path) === "data" && forData.includes(target)))
      .filter(
        (target) =>
          levelOf(target) === -1 ||
          levelOf(target) >= levelOf(file.path) ||
          target === "data/client.ts",
      )
      .map((target) => `${file.path} imports ${target}`),
  );
  const known = files
    .filter(({ path, text }) => path.startsWith("ui/") && text.includes('"@vestry/sdk"'))
    .map(({ path }) => `${path} imports @vestry/sdk`);
  assert.deepEqual([...wrong, ...known], [], "move what both need to records/, data/ or ui/");
});

test("screens of the web app read the clock of the service, not that of the device", async () => {
  const files = await filesIn("web/src/", /\.tsx?$/);
  const found = files
    .filter(({ text }) => /\bnew Date\(\)|\bDate\.now\(\)/.test(text))
    .map(({ path }) => path);
  assert.deepEqual(found, ["web/src/ui/clock.ts"], "ask ui/clock.ts");
});

/** A pattern, the files where it may stand, and what to do instead. */
const onlyIn: readonly [RegExp, RegExp, string][] = [
  [/\bprocess\.env\b/, /^app\/config\.ts$/, "read settings in app/config.ts and hand them down"],
  [/\.begin\((?!")/, /^store\//, "name the account: inTransaction(db, accountId, run)"],
  [/\bnew Date\(\)|\bDate\.now\(\)/, /^base\/clock\.ts$/, "ask clock.ts, or the database's now()"],
  [/\bMath\.random\(/, /^base\/clock\.ts$/, "throw clock.ts's die"],
  [/\brandomUUID\b|\bgen_random_uuid\b/, /^$/, "ids.ts makes the ids: they rise with time"],
  [/\bprocess\.exit\b/, /^cli\//, "throw, and let the executable end"],
  [/\bconsole\./, /^(cli\/|app\/(log|service|generate))/, "observe() it"],
  [
    /\b(db|tx)\.query(Arrays)?\b/,
    /^(jsonapi|store|sample-data|app\/seed|events\/capture\.ts|jobs\/boss\.ts|webhooks\/(engine\/(claim|settle|settlement-rows|reconcile)|health-rows|endpoints\/health-rows)\.ts)/,
    "use a tagged template: it binds its values",
  ],
  [
    /version \+ 1\b/,
    /^store\/sql\.ts$/,
    "revisedBy() of jsonapi/sql/write.ts sets the version, the time and the author",
  ],
  [/\breply\.code\((?!204|304)\d/, /^$/, "throw what errors.ts makes: it knows the status"],
  [
    /\blisten\(/,
    /^(app\/(service|metrics-server)|store|cli\/receive\/|webhooks\/engine\/notify\.ts)/,
    "the app listens to nothing by itself",
  ],
  [
    /\bnotify\s+\w+|pg_notify/i,
    /^webhooks\/engine\/notify\.ts$/,
    "NOTIFY in a transaction makes commits wait for each other",
  ],
  [
    /\bclock_timestamp\(\)|\brandom\(\)::/,
    /^cli\/doctor\//,
    "no volatile function in a statement: now() is stable",
  ],
];

/** Transactions without an account, by file: their number and the reason. All others name one account. */
const globalTransactions: Readonly<Record<string, readonly [number, string]>> = {
  "app/demo.ts": [1, "the first start decides whether the database has an account"],
  "cli/database.ts": [1, "a command waits until no other command uses the database"],
  "features/accounts/create-account.ts": [1, "the home reserves an alias for another server"],
  "features/accounts/move-account.ts": [5, "an account that moves refuses its own transactions"],
  "features/sign-in/passwords/request-password-reset.ts": [1, "the account may not exist"],
  "jobs/boss.ts": [2, "queues belong to all accounts"],
  "jsonapi/sql/files.ts": [1, "the sweep removes files of accounts that no longer exist"],
  "store/staged-account.ts": [4, "an account that moves refuses its own transactions"],
  "store/pooler.ts": [2, "a start examines the connections"],
  "store/move.ts": [2, "all accounts move together"],
  "store/migrate.ts": [3, "a migration changes the tables of all accounts"],
  "webhooks/engine/reconcile.ts": [1, "a range of pages has deliveries of several accounts"],
  "webhooks/engine/settle.ts": [
    2,
    "a batch of results is written at once, whatever their accounts",
  ],
  "webhooks/engine/sweep.ts": [1, "leases end for all accounts together"],
};

test("a transaction without an account stands on the list with its reason", () => {
  const found = sources
    .filter(({ path }) => path !== "store/db.ts")
    .map(({ path, text }) => [path, text.match(/\binGlobalTransaction\(/g)?.length ?? 0] as const)
    .filter(([, count]) => count > 0);
  assert.deepEqual(
    Object.fromEntries(found),
    Object.fromEntries(Object.entries(globalTransactions).map(([path, [count]]) => [path, count])),
    "name the account: inTransaction(db, accountId, run)",
  );
});

/** Further files that may write to a table, and tables that belong to no feature. */
const writers: readonly [tables: RegExp, files: RegExp][] = [
  [/^people$/, /^(access\/logins|features\/sign-in\/authenticate\/authenticate)\.ts/],
  [/^(account_)?integrations$/, /^access\/integrations\.ts/],
  [
    /^(person_credentials|logins)$/,
    /^(access\/logins|features\/sign-in\/authenticate\/authenticate)\.ts/,
  ],
  [/^(access|password)_tokens$/, /^(access|features\/sign-in)\//],
  [/^idempotency_keys$/, /^jsonapi\/request\/idempotency\.ts/],
  [/^files$/, /^jsonapi\/sql\/files\.ts/],
  [/^schema_(facts|migrations)$/, /^store\//],
  [/^(counters|this_server)$/, /^store\//],
  [/^account_(homes|moves)$/, /^(features|sample-data)\/accounts\//],
  [/^webhook_/, /^(webhooks\/|events\/(capture|move-deliveries|delete-(history|webhooks))\.ts)/],
];

const schema = await readFile(new URL("server/schema.sql", root), "utf8");
const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table = ""]) => table);

/** The folder of the feature to which each table belongs. */
const folders = new Map<string, string>();
for (const { path } of sources.filter((one) => /^features\/\w[^/]*\/feature\.ts$/.test(one.path)))
  for (const feature of Object.values(await import(`../src/${path}`)) as Feature[])
    for (const table of tablesOf(feature)) folders.set(table, path.replace("feature.ts", ""));

test("only the feature that a table belongs to writes to it, and its sample data", () => {
  const wrong: string[] = [];
  for (const table of tables) {
    const folder = folders.get(table);
    const others = writers.filter(([known]) => known.test(table)).map(([, files]) => files);
    if (folder === undefined && others.length === 0)
      wrong.push(`${table} belongs to no feature: name it in \`tables\` of a manifest`);
    const write = new RegExp(`\\b(insert\\s+into|update|delete\\s+from)\\s+${table}\\b(?!\\s*\\.)`);
    for (const { path, text } of sources)
      if (
        !(folder !== undefined && path.replace("sample-data/", "features/").startsWith(folder)) &&
        !others.some((files) => files.test(path)) &&
        write.test(withoutComments(text))
      )
        wrong.push(`${path} writes to ${table}, which belongs to ${folder ?? "another room"}`);
  }
  assert.deepEqual(wrong, []);
});

function tablesOf(feature: Feature): string[] {
  return [...typesOf(feature, declared).map(({ table }) => table), ...(feature.tables ?? [])];
}

/** Rooms that read tables of features, and the reason. */
const readersOfAll: readonly [files: RegExp, reason: string][] = [
  [/^access\//, "finds the caller, and locks accounts and people, before a feature takes part"],
  [/^(app|cli)\//, "the operator's commands examine and create accounts"],
  [/^sample-data\//, "fills every table, and belongs to the same feature"],
];

test("features read tables of their own, and of others only facts", () => {
  const readers = sources.filter(({ path }) => !readersOfAll.some(([files]) => files.test(path)));
  const found = readers.flatMap(({ path, text }) =>
    [...readsOf(withoutComments(text))]
      .filter((table) => folders.has(table) && !path.startsWith(folders.get(table) ?? ""))
      .map((table) => `${path} reads ${table}`),
  );
  const advice = "publish a fact in the facts.sql of the owner";
  assert.deepEqual([...new Set(found)], [], advice);
});

/** The tables that statements and definitions name. */
function* readsOf(text: string): Generator<string> {
  for (const [, one, other, another = ""] of text.matchAll(
    /\b(?:from|join|using)\s+(\w+)|\btable: "(\w+)"|\bvia\(\s*"(\w+)"/g,
  ))
    yield one ?? other ?? another;
}

test("facts can be applied again, and only grow", () => {
  const wrong = sources
    .filter(({ path }) => path.endsWith("/facts.sql"))
    .flatMap(({ path, text }) =>
      [
        ...withoutComments(text).matchAll(
          /^(?! |\)|end|begin|declare|create or replace (?:view|function) )\S.*$/gm,
        ),
      ].map(([line]) => `${path}: ${line}`),
    );
  assert.deepEqual(
    wrong,
    [],
    "a facts.sql contains `create or replace` of views and functions alone",
  );
});

test("access, events and the kernel name no type, table or scope of a feature but accounts and people", () => {
  const known = new Set(["accounts", "people"]);
  const names = features
    .filter((feature) => !typesOf(feature, declared).some(({ type }) => known.has(type)))
    .flatMap((feature) => [
      ...typesOf(feature, declared).map(({ type }) => type),
      ...tablesOf(feature),
    ])
    .join("|");
  const scopeNames = [...declared.scopes.keys()].join("|");
  const words = new RegExp(
    `["'\`](${names})["'\`]|\\b(?:from|join|into|update)\\s+(${names})\\b|\\b(${scopeNames})\\b`,
  );
  const wrong = sources
    .filter(({ path }) => /^(access|events|jsonapi)\//.test(path))
    .flatMap(({ path, text }) => {
      const found = withoutComments(text).match(words);
      return found ? [`${path} says ${found[0]}`] : [];
    });
  assert.deepEqual(wrong, [], "let the manifest declare it: `scopes`, `extends` or `published`");
});

test("some words stand in one place", () => {
  const wrong: string[] = [];
  for (const { path, text } of sources)
    for (const [word, where, advice] of onlyIn) {
      if (where.test(path)) continue;
      const found = withoutComments(text).match(word);
      if (found) wrong.push(`${path} says \`${found[0]}\`: ${advice}`);
    }
  assert.deepEqual(wrong, []);
});

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(\/\/|--|\*|\/\*).*$/gm, "");
}

test("a statement about rows of an account names the account", async () => {
  // The webhook engine claims and sweeps the rows of all accounts together.
  const owned = [
    ...schema.matchAll(/^create table (?!webhook)(\w+) \(\n {2}account_id /gm),
    ...schema.matchAll(/^create view (?!webhook)(\w+)/gm),
  ].map(([, name]) => name);
  assert.ok(owned.includes("people"));
  const tenants = new RegExp(`\\b(?:from|update|into)\\s+(${owned.join("|")})\\b`);
  const wrong: string[] = [];
  for (const { path, text } of sources) {
    if (path.startsWith("store/")) continue;
    // Jobs delete old rows of all accounts.
    for (const [statement] of text.matchAll(/(?:db|tx)(?:<[^`]*?>)?`[^`]*`/g))
      if (tenants.test(statement) && !/account_id|rows\)|_at <=? now\(\)/.test(statement))
        wrong.push(`${path}: ${statement.slice(0, 80)}`);
  }
  assert.deepEqual(wrong, [], "say `account_id = …`: rows of other accounts must be out of reach");
});

/** Files of tests that wait for time, and why. All others wait for things. */
const waits: Readonly<Record<string, string>> = {
  "server/src/store/migrate.test.ts": "a wait outlasts the time limit of PostgreSQL",
  "server/test/connection-loss.test.ts":
    "a statement that is never answered is reported by its name",
  "server/test/support/name-server.ts": "a name server can be slow",
  "server/test/support/pause.ts": "other processes do not report each change",
};

/** Any timer under any name. `setImmediate` waits for no time. */
const timers = [
  /\bimport\s+(?!\{\s*setImmediate(?:\s+as\s+\w+)?\s*\}\s+from)[^;"]*?\bfrom\s+"(?:node:)?timers(?:\/promises)?"/,
  /\b(?:import|require)\(\s*"(?:node:)?timers(?:\/promises)?"/,
  /(?<![.\w])(?:globalThis\.)?setTimeout\s*\(/,
  /\bpromisify\(\s*setTimeout|\bscheduler\.wait\b|\bwaitForTimeout\b|\bsleep\(/,
  /\bpg_sleep\(0?\.\d/,
];

test("tests wait for things, not for time", () => {
  const timed = tests
    .filter(({ path }) => !/\/(bench|chaos|tidy\.test\.ts)/.test(path))
    .filter(({ text }) => timers.some((timer) => timer.test(withoutComments(text))))
    .map(({ path }) => path);
  assert.deepEqual(timed.sort(), Object.keys(waits).sort(), "wait for the thing itself");
});

test("the rule about timers sees them under any name", () => {
  for (const text of [
    'import { setTimeout } from "node:timers/promises";',
    'import { setTimeout as wait } from "timers/promises";',
    'import {\n  setImmediate,\n  setTimeout as wait,\n} from "node:timers/promises";',
    'import * as timers from "node:timers";',
    'import timers from "node:timers/promises";',
    'const { setTimeout: wait } = await import("node:timers/promises");',
    "await new Promise((resolve) => setTimeout(resolve, 1));",
    "await promisify(setTimeout)(n);",
    "await page.waitForTimeout(n);",
  ])
    assert.ok(
      timers.some((timer) => timer.test(text)),
      text,
    );
  for (const text of [
    'import { setImmediate as turn } from "node:timers/promises";',
    'import { test } from "node:test";\nimport { setImmediate } from "node:timers/promises";',
    'timers.enable({ apis: ["setTimeout"] });',
  ])
    assert.ok(!timers.some((timer) => timer.test(text)), text);
});

test("tests run, all of them", () => {
  const forbidden: readonly [RegExp, string][] = [
    [/\b(test|it|describe|suite)\.only\(|\bonly: true\b/, "it keeps the others from running"],
    [
      /\b(test|it|describe|suite)\.(skip|todo)\(/,
      "a test that is not run is a promise nobody keeps",
    ],
    [/\bMath\.random\(/, "a failure must be repeatable: use fast-check, which prints its seed"],
  ];
  const wrong = tests
    .filter(({ path }) => !/\/(bench|chaos|tidy\.test\.ts)/.test(path))
    .flatMap(({ path, text }) =>
      forbidden.flatMap(([word, advice]) => {
        const found = withoutComments(text).match(word);
        return found ? [`${path} says \`${found[0]}\`: ${advice}`] : [];
      }),
    );
  assert.deepEqual(wrong, []);
});

test("an interface test is named by its status and its promise", async () => {
  const wrong = tests
    .filter(({ path }) => path.startsWith("server/test/interface/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^\s*test\(\s*(?:"([^"]+)"|`([^`]+)`)/gm)].flatMap(([, one, other]) => {
        const name = one ?? other ?? "";
        return name.length > 120 ? [`${path}: ${name}`] : [];
      }),
    );
  assert.deepEqual(wrong, [], "say it shorter");
});

test("nothing is left to be done in a comment, and nothing tells where it was written", async () => {
  const papers = await filesIn("docs/", /\.md$/);
  // Put together, so that this file does not say them itself.
  const places = ["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "C:" + "\\\\Users"];
  const left = new RegExp(
    `\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|")})\\b`,
  );
  const wrong = [...everything, ...papers].flatMap(({ path, text }) => [
    ...places.filter((place) => text.includes(place)).map((place) => `${path} says ${place}`),
    ...(left.test(text) ? [`${path}: do it, or write an issue`] : []),
  ]);
  assert.deepEqual(wrong, []);
});

/** Riddles per scope. The goal is 0, and the numbers may only go down. */
const riddlesMax: Readonly<Record<(typeof scopes)[number], number>> = {
  "documents": 0,
  "comments in src": 0,
  "strings in src": 0,
  "comments in test": 0,
  "test names": 0,
};

test("sentences are plain English", async () => {
  const offenders = await findOffenders();
  for (const scope of scopes) {
    const found = offenders.filter((offender) => offender.scope === scope);
    const list = found.map(({ place, sentence }) => `${place}: ${sentence}`).join("\n");
    assert.ok(
      found.length <= riddlesMax[scope],
      `${scope}: ${found.length} riddles, ${riddlesMax[scope]} allowed. Name the actor, then the verb.\n${list}`,
    );
  }
});
