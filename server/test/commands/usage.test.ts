import assert from "node:assert/strict";
import { test } from "node:test";
import { type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Context } from "../../src/cli/context.ts";
import { failureOf } from "../../src/cli/failure.ts";
import { createProgram } from "../../src/cli/program.ts";
import { PostmasterEnded } from "../../src/store/embedded/postmaster.ts";
import { vestry } from "../support/command.ts";

// No server listens at this address: none of these tests may need a database.
const env = { DATABASE_URL: "postgres://user@127.0.0.1:1/nothing" };

function* commandsBelow(command: CommandUnknownOpts): Generator<CommandUnknownOpts> {
  for (const child of command.commands) {
    yield child;
    yield* commandsBelow(child);
  }
}
const context = { action: () => async () => {} } as unknown as Context;
const commands = [...commandsBelow(createProgram(context, () => {}))];

test("every command and option is described in a sentence", () => {
  assert.ok(commands.length > 20);
  for (const command of commands) {
    assert.match(command.description(), /^[A-Z].*\.$/, command.name());
    for (const { description, flags } of command.options)
      assert.match(description, /[.)]$/, `${command.name()} ${flags}`);
  }
});

test("no command takes a password, token or secret as an argument", () => {
  for (const command of commands)
    for (const { flags, required, optional } of command.options)
      assert.ok(!/password|token|secret/.test(flags) || !(required || optional), flags);
});

test("--account is a synonym of --alias in every command", () => {
  const aliases = commands.flatMap(({ options }) =>
    options.filter(({ flags }) => /--alias|--account/.test(flags)),
  );
  assert.ok(aliases.length > 10);
  for (const { flags } of aliases) assert.equal(flags, "--account, --alias <alias>");
});

test("help and version exit 0, in every way to ask for them", async () => {
  const { status, stdout } = await vestry([], { env });
  assert.equal(status, 0);
  assert.match(stdout, /accounts +Create, list/);
  for (const args of [["-h"], ["--help"], ["help"]]) {
    const asked = await vestry(args, { env });
    assert.deepEqual([asked.stdout, asked.status], [stdout, 0]);
  }
  const one = (await vestry(["people", "create", "--help"], { env })).stdout;
  assert.match(one, /--administrative-status <status>.*none.*administrator/s);
  assert.match(one, /--json/);
  for (const args of [
    ["people", "create", "-h"],
    ["help", "people", "create"],
  ])
    assert.equal((await vestry(args, { env })).stdout, one);
  assert.match((await vestry(["help", "accounts"], { env })).stdout, /deactivate .*approve/s);
  assert.deepEqual(Object.keys((await vestry(["help", "--json"], { env })).json), ["help"]);

  const version = await vestry(["--version"], { env });
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.equal(version.status, 0);
});

test("a mistake in the command line exits 2 and names the problem", async () => {
  const size = ["seed", "--size", "small"];
  for (const [args, problem] of [
    [["acounts"], /Unknown command 'acounts'\. Did you mean accounts\?/],
    [["accounts"], /create.*approve/s],
    [["accounts", "approve", "--alais", "x"], /Unknown option '--alais'\. Did you mean --alias\?/],
    [["explain", "--colour", "courses"], /Unknown option '--colour'\./],
    [["accounts", "create", "--alias", "st-mark"], /option --church-name <name>, --admin-name/],
    [["accounts", "create", "--alias", "St Mark"], /--alias.* It must look like st-mark/],
    [["accounts", "approve", "--alias"], /--alias <alias>' argument missing/],
    [[...size, "--seed", "1234567890"], /--seed.*at most nine digits/],
    [[...size, "--seed", "1.5"], /--seed.*whole number/],
    [["seed", "--size", "huge"], /--size.*small, church, metropolis/],
    [["serve", "--role", "web"], /--role.*all, api, worker/],
    [["integrations", "create", "--name", " "], /--name.*must not be empty/],
    [["integrations", "create", "--name", "a\0b"], /--name.*invalid characters/],
  ] as const) {
    const { status, stderr, stdout } = await vestry(args, { env });
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, problem);
  }
});

test("an unexpected value is not printed, because it may be a password", async () => {
  for (const args of [
    ["accounts", "approve", "--alias", "abc", "hunter22"],
    ["seed", "--size", "small", "--password-stdin=hunter22"],
  ]) {
    const { status, stderr } = await vestry(args, { env });
    assert.equal(status, 2);
    assert.ok(!stderr.includes("hunter22"), stderr);
  }
});

test("--json works before and after the command, also for a mistake", async () => {
  for (const args of [
    ["accounts", "approve", "--json"],
    ["--json", "accounts", "approve"],
  ]) {
    const { status, json } = await vestry(args, { env });
    assert.equal(status, 2);
    const { code, message } = json["error"] as Record<string, string>;
    assert.equal(code, "usage");
    assert.match(message ?? "", /--alias/);
  }
  const early = await vestry(["--json", "explain", "courses"], { env });
  assert.deepEqual(Object.keys(early.json), ["type", "explanation"]);
});

test("an unreachable database is reported in one sentence, without a stack trace", async () => {
  for (const args of [["accounts", "approve", "--alias", "abc"], ["migrate"]]) {
    const { status, stderr } = await vestry(args, { env });
    assert.equal(status, 1);
    assert.match(stderr, /^The database cannot be reached \(\w+\): .*DATABASE_URL.*\.\n$/);
  }
});

test("a database that was reached and is slow is reported as such", () => {
  const late = Object.assign(new Error("canceling statement due to statement timeout"), {
    code: "57014",
  });
  const { code, message, stack } = failureOf(late);
  assert.equal(code, "database-unavailable");
  assert.match(message, /^The database was reached but did not answer in time \(57014\)/);
  assert.equal(stack, undefined);
});

test("an embedded database that does not start is reported with its own words, without a stack trace", () => {
  const failure = failureOf(new PostmasterEnded("exit code 1", "FATAL:  out of shared memory"));
  assert.equal(failure.code, "database-did-not-start");
  assert.match(failure.message, /out of shared memory$/);
  assert.equal(failure.stack, undefined);
});

test("every mistake in the configuration is reported", async () => {
  const broken = { DATABASE_URL: "mysql://here", PORT: "many", LOG_LEVEL: "loud" };
  const { status, stderr } = await vestry(["migrate"], { env: broken });
  assert.equal(status, 1);
  for (const name of Object.keys(broken)) assert.ok(stderr.includes(name), name);
  assert.match(stderr, /^These settings are wrong:\n/);
  const { json } = await vestry(["migrate", "--json"], { env: broken });
  assert.equal((json["error"] as Record<string, string>)["code"], "configuration");
});

test("explain shows the routes of a type, and lists the types for an unknown one", async () => {
  const { status, stdout } = await vestry(["explain", "courses"], { env });
  assert.equal(status, 0);
  assert.match(stdout, /\/v1\/courses\/:id/);
  const byHand = await vestry(["explain", "webhook-event-types"], { env });
  assert.match(byHand.stdout, /GET {2}\/v1\/webhook-event-types\/:id[^]*person\.created/);
  assert.match((await vestry(["explain", "curses"], { env })).stderr, /types are .*courses/);
});
