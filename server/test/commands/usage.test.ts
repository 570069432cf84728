import assert from "node:assert/strict";
import { test } from "node:test";
import { allCommands } from "../../src/cli/commands.ts";
import { vestry } from "../support/command.ts";

// An address at which nobody is: none of these may need a database.
const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };

test("every command has a name of its own, a sentence that says what it does, and described options", async () => {
  const commands = await allCommands();
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length);
  for (const { name, summary, options } of commands) {
    assert.match(summary, /^[A-Z].*\.$/, name);
    for (const [option, { description }] of Object.entries(options))
      assert.match(description, /^[A-Z].*[.)]$/, `${name} --${option}`);
  }
});

test("no command takes a password or a token as an argument", async () => {
  for (const { name, options } of await allCommands())
    for (const [option, { kind }] of Object.entries(options))
      assert.ok(!/password|token|secret/.test(option) || kind === "flag", `${name} --${option}`);
});

test("without a command the commands are listed; with --help one is explained", async () => {
  const all = await vestry([], { env });
  assert.equal(all.status, 0);
  assert.match(all.stdout, /accounts create +Adds a church/);
  const one = await vestry(["people", "create", "--help"], { env });
  assert.equal(one.status, 0);
  assert.match(one.stdout, /--administrative-status none\|administrator\|full-administrator/);
});

test("help is there however it is asked for, and so is the version", async () => {
  const all = (await vestry([], { env })).stdout;
  for (const args of [["-h"], ["--help"], ["help"]])
    assert.deepEqual(await vestry(args, { env }).then(({ stdout, status }) => [stdout, status]), [
      all,
      0,
    ]);
  const one = (await vestry(["accounts", "create", "--help"], { env })).stdout;
  assert.match(one, /--church-name <text>/);
  for (const args of [
    ["accounts", "create", "-h"],
    ["help", "accounts", "create"],
  ])
    assert.equal((await vestry(args, { env })).stdout, one);
  const some = (await vestry(["accounts", "-h"], { env })).stdout;
  assert.match(some, /accounts list/);
  assert.equal((await vestry(["help", "accounts"], { env })).stdout, some);

  const shown = await vestry(["--version"], { env });
  assert.match(shown.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.equal(shown.status, 0);
});

test("a misspelt option or command is told what was meant, and nothing that only follows from it", async () => {
  const misspelt = await vestry(["integrations", "create", "--nmae", "x"], { env });
  assert.equal(misspelt.status, 2);
  assert.equal(
    misspelt.stderr,
    "vestry integrations create: --nmae is not an option of it (did you mean --name?). " +
      "See npx vestry integrations create --help.\n",
  );
  const argument = await vestry(["explain", "--colour", "courses"], { env });
  assert.match(argument.stderr, /^vestry explain: --colour is not an option of it\. See/);
  const surplus = await vestry(["integrations", "create", "--nmae=x", "y"], { env });
  assert.match(surplus.stderr, /words that belong to no option/);
  assert.match((await vestry(["acounts"], { env })).stderr, /did you mean accounts\?/);
});

test("all mistakes in the options are named in one sentence, with exit status 2", async () => {
  const { status, stdout, stderr } = await vestry(
    ["accounts", "create", "--alias", "--church-name=", "--colour", "blue", "--admin-email", "ana"],
    { env },
  );
  assert.equal(status, 2);
  assert.equal(stdout, "");
  assert.equal(stderr.trim().split("\n").length, 1);
  for (const part of [
    "--alias needs a value",
    "--church-name needs a value",
    "--colour is not an option",
    "--admin-email must look like ana@example.org",
    "--admin-name is missing",
    "--admin-password-stdin is missing",
    "--help",
  ])
    assert.ok(stderr.includes(part), `${part} in ${stderr}`);
});

test("an option is given once, with a value if it takes one and without if not, and of the values there are", async () => {
  const size = ["seed", "--size", "small"];
  for (const [args, mistake] of [
    [[...size, "--prefix", "a", "--prefix", "b"], "--prefix is given twice"],
    [[...size, "--password-stdin=hunter22"], "--password-stdin takes no value"],
    [[...size, "--seed", "1234567890"], "--seed must be a whole number of at most nine digits"],
    [[...size, "--seed", "1.5"], "--seed must be a whole number"],
    [["seed", "--size", "huge"], "--size must be one of small, church, metropolis"],
    [["serve", "--role", "web"], "--role must be one of all, api, worker"],
    [["integrations", "create", "--name", " "], "--name needs a value"],
    [["integrations", "create", "--name", "a\0b"], "--name contains what cannot be stored"],
  ] as const) {
    const { status, stderr } = await vestry(args, { env });
    assert.equal(status, 2, mistake);
    assert.ok(stderr.includes(mistake), `${mistake} in ${stderr}`);
    assert.ok(!stderr.includes("hunter22"));
  }
});

test("a word too many is not repeated: it may be a password", async () => {
  const { status, stderr } = await vestry(["accounts", "approve", "--alias", "abc", "hunter22"], {
    env,
  });
  assert.equal(status, 2);
  assert.ok(!stderr.includes("hunter22"));
});

test("with --json a mistake is one JSON object as well", async () => {
  const { status, json } = await vestry(["accounts", "approve", "--json"], { env });
  assert.equal(status, 2);
  const { code, message } = json["error"] as Record<string, string>;
  assert.equal(code, "usage");
  assert.match(message ?? "", /--alias is missing/);
});

test("an unknown command is named", async () => {
  const { status, stderr } = await vestry(["acounts"], { env });
  assert.equal(status, 2);
  assert.match(stderr, /There is no command "acounts"/);
});

test("a database that is away gets a sentence, not a stack trace", async () => {
  for (const args of [["accounts", "approve", "--alias", "abc"], ["migrate"]]) {
    const { status, stderr } = await vestry(args, { env });
    assert.equal(status, 1);
    assert.match(stderr, /^The database cannot be reached \(\w+\): .*DATABASE_URL.*\.\n$/);
  }
});

test("a broken configuration is reported whole", async () => {
  const broken = { DATABASE_URL: "mysql://here", PORT: "many", LOG_LEVEL: "loud" };
  const { status, stderr } = await vestry(["migrate"], { env: broken });
  assert.equal(status, 1);
  for (const name of Object.keys(broken)) assert.ok(stderr.includes(name), name);
  assert.match(stderr, /^These settings are wrong:\n/);
  const { json } = await vestry(["migrate", "--json"], { env: broken });
  assert.equal((json["error"] as Record<string, string>)["code"], "configuration");
});

test("explain shows what a type derives, and knows its types", async () => {
  const { status, stdout } = await vestry(["explain", "courses"], { env });
  assert.equal(status, 0);
  assert.match(stdout, /\/v1\/courses\/:id/);
  const byHand = await vestry(["explain", "webhook-event-types"], { env });
  assert.match(byHand.stdout, /GET {2}\/v1\/webhook-event-types\/:id[^]*person\.created/);
  assert.match((await vestry(["explain", "curses"], { env })).stderr, /there are .*courses/);
});
