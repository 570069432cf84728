import { setTimeout as wait } from "node:timers/promises";
import { identifier, raw } from "../../src/store/sql.ts";
import type { Db } from "../../src/store/db.ts";
import { makeAccount, type TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import { asServed, ServerChild } from "./child.ts";

const ORIGIN = "http://localhost";
const ROWS = 50_000;
const MEMORY_MIB = 250;
/** The least ratio of rows per second, run against one statement. */
const RATIO_MIN = 0.02;

const mapping = {
  Name: "full-name",
  Mail: "email",
  Phone: "phone",
  Born: "birthdate",
  City: "address.city",
  Old: "external-ids.former",
};

/** Every row also names a household of four, with a key, and one of twenty tags. */
const linkedMapping = { ...mapping, Family: "household", Team: "tag" };
const linkedAttributes = { "mapping": linkedMapping, "household-key": "Key" };
/** The dry run and the run together. */
const LINKED_SECONDS_MAX = 60;
const UNDONE_ROWS = 2_000;
const UNDO_RATIO_MAX = 2;

/**
 * An import of people into an empty account, against one statement that inserts the same rows, and the same people with
 * households and tags into another one.
 */
export async function benchImport({
  databaseUrl,
  db,
  say,
}: {
  databaseUrl: string;
  db: Db;
  say: (line: string) => void;
}): Promise<Judged[]> {
  const account = await makeAccount(db);
  const service = new ServerChild("./service.ts", ...asServed(undefined, "worker"));
  try {
    await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
    say(`An import of ${ROWS} people …`);
    const { dryRun, run } = await importInto(service, account, { mapping });
    const { maxRssBytes } = await service.usage();
    const floor = await insertSeconds(db, account);
    say(`dry run ${dryRun.toFixed(1)} s, run ${run.toFixed(1)} s, floor ${floor.toFixed(1)} s`);
    const linked = await importInto(service, await makeAccount(db), linkedAttributes);
    say(`with links: dry run ${linked.dryRun.toFixed(1)} s, run ${linked.run.toFixed(1)} s`);
    const wrong = await importInto(service, await makeAccount(db), linkedAttributes, UNDONE_ROWS);
    const undo = await wrong.undo();
    say(
      `${UNDONE_ROWS} of them: run ${wrong.run.toFixed(1)} s, taken back in ${undo.toFixed(1)} s`,
    );
    return [
      {
        what: "import of 50,000 people, dry run: rows per second",
        value: ROWS / dryRun,
        budget: {},
      },
      { what: "the same, run: rows per second", value: ROWS / run, budget: {} },
      {
        what: "the same, run: ratio to one insert",
        value: floor / run,
        budget: { atLeast: RATIO_MIN },
      },
      {
        what: "the same with a household and a tag in each row, dry run and run, seconds",
        value: linked.dryRun + linked.run,
        budget: { below: LINKED_SECONDS_MAX },
      },
      {
        what: "the same, run: ratio of its seconds to those without links",
        value: linked.run / run,
        budget: {},
      },
      {
        what: `${UNDONE_ROWS} of the same, taken back: ratio of its seconds to those of the run`,
        value: undo / wrong.run,
        budget: { below: UNDO_RATIO_MAX },
      },
      {
        what: "memory of the service during an import, MiB",
        value: maxRssBytes / 2 ** 20,
        budget: { below: MEMORY_MIB },
      },
    ];
  } finally {
    await service.stop();
  }
}

/** The seconds of each step. The last one takes the import back. */
async function importInto(
  service: ServerChild,
  account: TestAccount,
  attributes: Record<string, unknown>,
  rows = ROWS,
): Promise<{ dryRun: number; run: number; undo: () => Promise<number> }> {
  const call = caller(service, account);
  const job = { kind: "people", "match-on": ["email", "phone"], ...attributes };
  const data = { type: "import-jobs", attributes: job };
  const id = await idIn(call("POST", "import-jobs", JSON.stringify({ data })));
  const dryRun = await timed(call, id, () =>
    call("PUT", `import-jobs/${id}/file`, file(rows), "text/csv"),
  );
  const begin = (type: string) => timed(call, id, () => call("POST", type, orderOf(type, id)));
  return { dryRun, run: await begin("import-runs"), undo: () => begin("import-undos") };
}

const orderOf = (type: string, id: string) =>
  JSON.stringify({
    data: {
      type,
      relationships: { "import-job": { data: { type: "import-jobs", id } } },
    },
  });

const file = (rows: number): string =>
  [
    [...Object.keys(linkedMapping), "Key"].join(","),
    ...Array.from({ length: rows }, (_, n) =>
      [
        `Person ${n.toString(36)} Quintanilha`,
        `person.${n}@import.example`,
        `+55119${String(n).padStart(8, "0")}`,
        `19${String(50 + (n % 50))}-05-17`,
        `City ${n % 100}`,
        String(n),
        `Family ${Math.floor(n / 4) % 200}`,
        `Team ${n % 20}`,
        String(Math.floor(n / 4)),
      ].join(","),
    ),
  ].join("\n");

type Call = (method: string, path: string, body?: string, type?: string) => Promise<string>;

const caller =
  ({ port }: ServerChild, { administrator }: TestAccount): Call =>
  async (method, path, body, type = "application/vnd.api+json") => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
      method,
      headers: {
        "Origin": ORIGIN,
        "Authorization": `Bearer ${administrator.token}`,
        ...(body !== undefined && { "Content-Type": type }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  };

const idIn = async (answer: Promise<string>): Promise<string> =>
  (JSON.parse(await answer) as { data: { id: string } }).data.id;

const ENDED: ReadonlySet<string> = new Set(["ready", "done", "undone"]);

/** The seconds from the request to the end of the step that it begins. */
async function timed(call: Call, id: string, begin: () => Promise<string>): Promise<number> {
  const startedAt = performance.now();
  await begin();
  for (;;) {
    await wait(100);
    const text = await call("GET", `import-jobs/${id}`);
    const [, status = ""] = text.match(/"status":"(\w+)"/) ?? [];
    if (status === "failed") throw new Error(text);
    if (ENDED.has(status)) return (performance.now() - startedAt) / 1_000;
  }
}

/**
 * The seconds of one statement that writes the same rows into the same table, for another account. The role of the service may
 * not COPY from a file. The indexes and generated columns of the table cost the most, in either way.
 */
async function insertSeconds(db: Db, account: TestAccount): Promise<number> {
  const other = await makeAccount(db);
  const columns = await db<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = 'people'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'account_id'`;
  const names = raw(columns.map(({ name }) => identifier(name).sql).join(", "));
  await db`create unlogged table bench_people as select * from people where account_id = ${account.id}`;
  const startedAt = performance.now();
  await db`
    insert into people (account_id, ${names})
    select ${other.id}, ${names} from bench_people where account_id = ${account.id}`;
  const seconds = (performance.now() - startedAt) / 1_000;
  await db`drop table bench_people`;
  return seconds;
}
