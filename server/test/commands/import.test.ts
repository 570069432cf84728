import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { vestry } from "../support/command.ts";
import { makeCell } from "../support/cells.ts";
import { freshDatabase } from "../support/database.ts";
import { csv } from "../support/imports.ts";
import { makeAccount } from "../support/make.ts";

const database = await freshDatabase("the command runs the jobs of every account");
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
  assert.match(stdout, /Wrote 1 rows\. 1 rows have errors\./);
  assert.match(stderr, /Row 3, Mail: Must be an e-mail address/);
  assert.match(stderr, /2 rows: 1 new, 0 updates, 0 skipped, 1 errors\./);
  assert.deepEqual(await imported(), [["Ana Souza", null]]);
});

test("import adds people to households and tags, and memberships of people who are known", async () => {
  const cell = await makeCell(db, account.id, { name: "Célula" });
  await writeFile(
    file,
    Buffer.from(
      "Name,Mail,Home,Tag,Cell,Role,Family,Phone\nZé,ze@import.example,Souza,a;b,célula,host,7,98765-4321",
      "latin1",
    ),
  );
  const first = await importing(
    ..."--map Mail=email --map Home=household --map Tag=tag --map Phone=phone --encoding windows-1252".split(
      " ",
    ),
    ..."--value Tag:a=First --household-key Family --country BR --default-area-code 11 --yes".split(
      " ",
    ),
  );
  assert.equal(first.status, 0, first.stderr);
  const map = "--map Mail=email --map Cell=cell --map Role=cell-role --match-on email --yes";
  const second = await vestry(
    `import --alias ${account.alias} --file ${file} --kind cell-memberships ${map}`.split(" "),
    { env },
  );
  assert.equal(second.status, 0, second.stderr);
  const rows = await db<Record<string, unknown>[]>`
    select full_name, phones -> 0 ->> 'number' as phone,
      (select string_agg(tags.name, ' ' order by tags.name) from person_tags
        join tags on tags.account_id = person_tags.account_id and tags.id = tag_id
        where person_id = people.id) as tags,
      (select name from households where primary_contact_id = people.id) as home,
      (select cell_role from cell_memberships where person_id = people.id and cell_id = ${cell}) as role
    from people where account_id = ${account.id} and email = 'ze@import.example'`;
  assert.deepEqual(
    rows.map((row) => [row["full_name"], row["phone"], row["tags"], row["home"], row["role"]]),
    [["Zé", "+5511987654321", "First b", "Souza", "host"]],
  );
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
  assert.match(
    (await importing("--map", "Mail=age", "--yes")).stderr,
    /"age"\. An import of people cannot set it/,
  );
  assert.match((await importing("--map", "Fax=email", "--yes")).stderr, /no column "Fax"/);
});
