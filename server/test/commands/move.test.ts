import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readConfig } from "../../src/app/config.ts";
import { CannotStart } from "../../src/app/cannot-start.ts";
import { startService } from "../../src/app/service.ts";
import { resetMails } from "../../src/features/sign-in/mails/mails.ts";
import { enqueue } from "../../src/jobs/queues.ts";
import { connect, type Db, inGlobalTransaction } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { vestry } from "../support/command.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

/** One embedded database with data, from the first refusal to the start on its copy. */
describe("move", () => {
  let directory: string;
  let dataDir: string;
  let target: FreshDatabase;
  const env = () => ({ DATA_DIR: dataDir, METRICS_PORT: "off", DATABASE_URL: target.url });
  const move = (settings: Record<string, string> = env()) =>
    vestry(["move", "--json"], { env: settings });

  /** Runs the embedded database by itself. */
  async function embedded<T>(act: (db: Db) => Promise<T>): Promise<T> {
    const server = await startEmbedded({ dataDir, say: () => undefined });
    const db = connect(server.url, { max: 2, statementMsMax: 0 });
    try {
      return await act(db);
    } finally {
      await db.end();
      await server.stop();
    }
  }

  const rowsOf = async (db: Db) => {
    const tables = await db<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname !~ '^schema_' order by 1`;
    const rows: Record<string, unknown> = {};
    for (const { name } of tables) {
      const [row] = await db.query(
        `select count(*) as count, md5(string_agg(each::text, ' ' order by each::text)) as hash from ${name} each`,
      );
      rows[name] = { ...row };
    }
    return rows;
  };

  const keysOf = async (db: Db) =>
    (
      await db<{ key: string }[]>`
        select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as key from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1`
    ).map(({ key }) => key);

  let original: Record<string, unknown>;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "vestry-move-"));
    dataDir = join(directory, "data");
    target = await freshDatabase("a command fills the whole database");
    const own = { DATA_DIR: dataDir };
    assert.equal((await vestry(["migrate"], { env: own })).status, 0);
    const seeded = await vestry(["seed", "--size", "small"], { env: own });
    assert.equal(seeded.status, 0, seeded.stderr);
    await embedded(async (db) => {
      // A day of history that a new database does not have, and values that are easily changed on the way.
      await db.query(
        `create table webhook_events_20260101 partition of webhook_events for values
           from ('019b7700-0000-0000-0000-000000000000') to ('019b9c2c-5c00-0000-0000-000000000000')`,
      );
      await db`
        update people set occupation = ${'a "b" \\ {NULL}, ü\n'}, custom_properties = '{"none": null, "list": [1.50, "x"]}'
        where id = (select min(id::text)::uuid from people)`;
      await inGlobalTransaction(db, (tx) =>
        enqueue(tx, resetMails, { accountId: null, personId: null }),
      );
      original = await rowsOf(db);
    });
  });
  after(async () => {
    await target.close();
    await rm(directory, { recursive: true, force: true });
  });

  test("a start on an empty database beside a used DATA_DIR is refused and names both ways out", async (context) => {
    const empty = await freshDatabase("the first start finds no account");
    context.after(() => empty.close());
    await empty.db.query("drop schema public cascade; create schema public");
    const settings = { ...env(), DATABASE_URL: empty.url };
    await assert.rejects(
      startService({ config: readConfig(settings), role: "api", say: () => undefined }),
      (error) =>
        error instanceof CannotStart &&
        /npx vestry move\b.*npx vestry migrate --begin-empty/.test(error.message),
    );
    const refused = await vestry(["migrate", "--json"], { env: settings });
    assert.match(refused.stdout, /"cannot-start".*--begin-empty/);
    assert.deepEqual(
      [...(await empty.db`select to_regclass('accounts') as name`)],
      [{ name: null }],
    );
    const begun = await vestry(["migrate", "--begin-empty"], { env: settings });
    assert.equal(begun.status, 0, begun.stderr);
  });

  test("a running service and a database with rows are refused", async () => {
    await embedded(async () => {
      const refused = await move();
      assert.equal(refused.status, 1);
      assert.match(refused.stdout, /data-directory-in-use/);
    });
    await target.db`insert into integrations (id, name, token_hash) values (gen_random_uuid(), 'Used', '\\x00')`;
    const refused = await move();
    assert.match(refused.stdout, /target-not-empty/);
    await target.db`delete from integrations`;
  });

  test("every row arrives, the keys are back, and the old database says where it is", async () => {
    const moved = await move();
    assert.equal(moved.status, 0, moved.stdout + moved.stderr);
    assert.deepEqual(await rowsOf(target.db), original);
    const fresh = await freshDatabase("its keys are compared");
    assert.deepEqual(await keysOf(target.db), await keysOf(fresh.db));
    await fresh.close();
    const [day] = await target.db`select to_regclass('webhook_events_20260101') as name`;
    assert.ok(day?.["name"]);
    const [job] = await target.db`select name, state::text as state from pgboss.job`;
    assert.deepEqual({ ...job }, { name: resetMails.name, state: "created" });

    const listed = await vestry(["accounts", "list", "--json"], { env: env() });
    assert.equal((listed.json["accounts"] as unknown[]).length, 1);
    const old = await vestry(["accounts", "list", "--json"], { env: { DATA_DIR: dataDir } });
    assert.match(old.stdout, /was moved to .*\/test_/);
  });

  test("the schema has no sequence, whose value the copy would have to set", async () => {
    const sequences = await target.db`
      select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`;
    assert.deepEqual([...sequences], []);
  });
});
