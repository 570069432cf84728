import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { vestry } from "../support/command.ts";
import { freshDatabase } from "../support/database.ts";
import { csv } from "../support/imports.ts";
import { makeAccount } from "../support/make.ts";

const database = await freshDatabase();
after(() => database.close());
const { db } = database;
const account = await makeAccount(db);
const folder = await mkdtemp(join(tmpdir(), "vestry-import-"));
after(() => rm(folder, { recursive: true, force: true }));
const env = { DATABASE_URL: database.url, METRICS_PORT: "off" };

const file = join(folder, "people.csv");
await writeFile(
  file,
  csv(["Name", "Mail"], ["Ana Souza", "ana@import.example"], ["Rui Santos", "no address"]),
);

const importing = (...more: string[]) =>
  vestry(["import", "--alias", account.alias, "--file", file, "--map", "Name=full-name", ...more], {
    env,
  });

const imported = async () => {
  const rows = await db<{ full_name: string; created_by: string | null }[]>`
    select full_name, created_by from people where account_id = ${account.id} and email = 'ana@import.example'`;
  return rows.map(({ created_by, full_name }) => [full_name, created_by]);
};

test("import writes the people of a file, and prints errors by row and column", async () => {
  const { status, stderr, stdout } = await importing("--map", "Mail=email", "--yes");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /Wrote 1 people\. 1 rows have errors\./);
  assert.match(stderr, /Row 3, Mail: Must be an e-mail address/);
  assert.match(stderr, /2 rows: 1 new people, 0 updates, 0 skipped, 1 errors\./);
  assert.deepEqual(await imported(), [["Ana Souza", null]]);
});

test("an import that is not confirmed leaves nothing", async () => {
  const { status, stderr } = await importing("--map", "Mail=occupation");
  assert.notEqual(status, 0);
  assert.match(stderr, /--yes/);
  const [jobs] = await db`select count(*)::int as count from import_jobs where status <> 'done'`;
  assert.equal(jobs?.["count"], 0);
});

test("a file that cannot be read, a header without a target and an unknown target are explained", async () => {
  const unread = await vestry(
    ["import", "--alias", account.alias, "--file", join(folder, "absent.csv"), "--map", "A=email"],
    { env },
  );
  assert.match(unread.stderr, /absent\.csv cannot be read/);
  assert.match((await importing("--map", "Mail")).stderr, /must look like Nome=full-name/);
  assert.match((await importing("--map", "Mail=age", "--yes")).stderr, /cannot set age/);
  assert.match((await importing("--map", "Fax=email", "--yes")).stderr, /no column "Fax"/);
});
