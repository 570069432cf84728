import assert from "node:assert/strict";
import { after, test } from "node:test";
import { keepAccountStatements } from "../support/account-statements.ts";
import { furnish } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, startStage } from "./stage.ts";
import { conform, conformCommand } from "./suite.ts";

/** Every type keeps the promises that hold for all types. */
const service = await startStage();
after(() => service.stop());
const { account, db } = service;
const rows = await furnish(db, catalogue, account, specialMakers(db, account.id));

const isOneServer = db === service.home;
const statements = isOneServer ? keepAccountStatements({ after }, db) : new Set<string>();
const stage = { service, catalogue, rows };
for (const resource of catalogue.commands.values()) conformCommand(stage, resource);
conform(stage, [...catalogue.resources.values()]);

/** Statements for an account that name none, with the reason. */
const withoutAccount: readonly [text: RegExp, reason: string][] = [
  // A new connection prepares its first statement and looks at the server.
  [
    /^(begin|commit|rollback|savepoint|release|set local|show transaction_read_only)\b/,
    "has no rows",
  ],
  [/^select set_config\('vestry\.write', /, "names the author of the rows that follow"],
  [/^insert into pgboss\.job /, "the job names its account in its data"],
  [/ (today_in|time_zone_of)\(\$1\)/, "the function takes the account"],
];

test("each statement for an account names the account", {
  skip: !isOneServer && "the statements of one server are kept",
}, () => {
  const named = /\baccount_id\b|\baccounts where (accounts\.)?id = \$/;
  const texts = [...statements].map((text) => text.trim().replaceAll(/\s+/g, " "));
  assert.ok(texts.length > 1_000, String(texts.length));
  const strays = texts.filter((text) => !named.test(text));
  assert.deepEqual(
    strays.filter((text) => !withoutAccount.some(([known]) => known.test(text))),
    [],
    "add `account_id = ${accountId}`, or send it without the account and the reason",
  );
  for (const [known] of withoutAccount)
    assert.ok(
      strays.some((text) => known.test(text)),
      `no statement is ${known}`,
    );
});
