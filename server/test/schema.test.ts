import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import type { Attribute, Storage } from "../src/jsonapi/definition/attributes.ts";
import { accountColumnOf, columnOf } from "../src/jsonapi/definition/members.ts";
import { computedListOf } from "../src/jsonapi/definition/operations.ts";
import { constraintError, foreignKeyName } from "../src/jsonapi/sql/constraint.ts";
import type { Resource } from "../src/jsonapi/definition/resource.ts";
import { cascadingTypes } from "../src/features/people/cascade.ts";
import { addPrayerRequests, catalogue } from "./conformance/stage.ts";
import { freshDatabase } from "./support/database.ts";
import { makeAccount } from "./support/make.ts";
import { triggersOf } from "../src/contract/journal-sql.ts";
import { layoutOf } from "../src/jsonapi/definition/layout.ts";

/** Lists in code, held against the catalogue of PostgreSQL. */

const database = await freshDatabase("it adds tables");
const { db } = database;
await addPrayerRequests(db);
/** The driver itself tells the types of columns. */
const plain = new pg.Client(database.url);
await plain.connect();
after(async () => {
  await plain.end();
  await database.close();
});

/** Looked up before the account is known, or the operator's: copied to every node of a cluster. */
const referenceTables = [
  "account_homes",
  "account_integrations",
  "accounts",
  "counters",
  "integrations",
  "logins",
  "schema_facts",
  "schema_migrations",
  "this_server",
  "webhook_installation",
];

interface Column {
  table: string;
  /** The catalog does not say which columns of a view are nullable. */
  viewed: boolean;
  name: string;
  type: string;
  required: boolean;
  hasDefault: boolean;
}
const columns = await db<Column[]>`
  select c.relname as table, c.relkind = 'v' as viewed, a.attname as name, format_type(a.atttypid, null) as type,
    a.attnotnull as required, a.atthasdef and a.attgenerated = '' as "hasDefault"
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition and a.attnum > 0 and not a.attisdropped`;
const tables = [...new Set(columns.flatMap(({ table, viewed }) => (viewed ? [] : [table])))];
const tenantTables = tables.filter((table) => !referenceTables.includes(table));
const column = (table: string, name: string) =>
  columns.find((one) => one.table === table && one.name === name);

interface Constraint {
  name: string;
  table: string;
  kind: "p" | "u" | "f" | "c" | "x";
  columns: string[];
  target: string | null;
  targetColumns: string[] | null;
  onDelete: string;
}
const constraints = await db<Constraint[]>`
  select k.conname as name, c.relname as table, k.contype as kind, t.relname as target,
    case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'refused' end as "onDelete",
    array(select attname::text from unnest(k.conkey) with ordinality as key(n, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.n order by place) as columns,
    array(select attname::text from unnest(k.confkey) with ordinality as key(n, place)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = key.n order by place) as "targetColumns"
  from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class t on t.oid = k.confrelid
  where c.relnamespace = 'public'::regnamespace and not c.relispartition`;
const foreignKeys = constraints.filter(({ kind }) => kind === "f");

const types: Record<Storage, readonly string[]> = {
  text: ["text"],
  number: ["integer", "bigint", "double precision"],
  boolean: ["boolean"],
  timestamp: ["timestamp with time zone"],
  date: ["date"],
  json: ["jsonb"],
  texts: ["text[]"],
  uuids: ["uuid[]"],
  link: ["uuid"],
  file: ["uuid"],
  phone: ["text"],
};

const isStored = ({ expression, mode, writeOnly }: Attribute) =>
  !writeOnly && (expression === undefined || mode !== "read-only");

/** The types whose rows are those of a table or a view. Computed lists have statements of their own. */
const withRows = [...catalogue.resources.values()].filter((one) => !computedListOf(one));

for (const of of withRows) {
  test(`${of.type}: every attribute has a column of its type that may be absent when it may`, () => {
    for (const [name, attribute] of Object.entries(of.attributes)) {
      if (!isStored(attribute)) continue;
      const stored = column(of.table, columnOf(name, attribute));
      assert.ok(stored, `${of.table} has no column for ${name}`);
      assert.ok(
        types[attribute.storage].includes(stored.type),
        `${name} is stored as ${stored.type}`,
      );
      // A column with a derived default may be null although the response never is.
      if (attribute.expression === undefined && !stored.viewed)
        assert.equal(stored.required, !attribute.nullable, `${name}: is it null or not null?`);
      if (attribute.mode === "defaulted") assert.ok(stored.hasDefault, `${name} has no default`);
      if (attribute.mode === "required" && of.operations.create)
        assert.ok(!stored.hasDefault, `${name} has a default`);
    }
  });

  test(`${of.type}: what every statement selects is there, and of the type that is written`, async () => {
    const { columns: selected, attributes } = layoutOf(of);
    const { fields } = await plain.query(`select ${selected} from ${of.table} limit 0`);
    const oids: Record<Storage, number[]> = {
      text: [25],
      number: [20, 21, 23, 701],
      boolean: [16],
      timestamp: [1184],
      date: [1082],
      json: [25],
      texts: [25],
      uuids: [25],
      link: [25],
      file: [25],
      phone: [25],
    };
    for (const { name, attribute, index } of attributes)
      assert.ok(oids[attribute.storage].includes(fields[index]?.dataTypeID ?? 0), name);
  });

  test(`${of.type}: relationships, filters and sorts name columns that are there`, async () => {
    for (const [name, relationship] of Object.entries(of.relationships))
      if ("expression" in relationship) continue;
      else if (relationship.kind === "to-one") {
        const stored = column(of.table, relationship.column);
        assert.equal(stored?.type, "uuid", name);
        if (relationship.required && !relationship.alsoTo)
          assert.equal(stored?.required, relationship.outlives !== true, name);
      } else {
        const { from, table, to, where } = relationship;
        for (const each of [from, to])
          assert.equal(column(table, each)?.type, "uuid", `${name}: ${table}.${each}`);
        for (const each of Object.keys(where ?? {}))
          assert.ok(column(table, each), `${name}: ${table}.${each}`);
      }
    for (const [name, { column: from, target }] of Object.entries(of.references ?? {})) {
      assert.equal(column(of.table, from)?.type, "uuid", name);
      if (typeof target !== "string")
        assert.equal(column(of.table, target.column)?.type, "text", `the type of ${name}`);
    }
    for (const [name, filter] of Object.entries(of.filters)) {
      if ("table" in filter) {
        assert.ok(column(filter.table, filter.from), `filter ${name}`);
        if ("to" in filter) assert.ok(column(filter.table, filter.to), `filter ${name}`);
      } else if ("text" in filter) {
        assert.ok(column(filter.text.table, filter.text.column), `filter ${name}`);
      } else if ("column" in filter && !filter.column.includes("("))
        assert.ok(column(of.table, filter.column), `filter ${name}`);
    }
    for (const [name, sort] of Object.entries(of.sorts)) {
      if (sort.column.includes("(")) {
        assert.ok(sort.nullable, `sort ${name}: an expression carries no cursor`);
        continue;
      }
      const stored = column(of.table, sort.column);
      assert.ok(stored, `sort ${name}`);
      if (!stored.viewed)
        assert.equal(stored.required, !sort.nullable, `sort ${name}: is it ever null?`);
    }
    // Tables written by the kernel have an author.
    const written = ["created_at", "modified_at", "created_by", "modified_by"];
    for (const each of [
      "id",
      ...(of.unversioned ? [] : ["version"]),
      ...("created-by" in of.relationships ? written : []),
      accountColumnOf(of),
    ])
      assert.ok(column(of.table, each), `${of.table}.${each}`);
  });

  test(`${of.type}: the constraints it has words for exist`, async () => {
    const indexes = await db<
      { name: string }[]
    >`select indexname as name from pg_indexes where schemaname = 'public'`;
    const known = new Set([...constraints, ...indexes].map(({ name }) => name));
    for (const name of Object.keys(of.constraints ?? {}))
      assert.ok(known.has(name), `${name} is gone: its words are never said`);
  });
}

/** The service alone writes these columns, or checks them before it asks the database. */
const withoutWords = [
  "accounts_alias_form",
  "accounts_alias_key",
  "accounts_status_known",
  "cell_attendances_membership_fkey",
  "forms_add_to_cell_fkey",
  "forms_enroll_in_class_fkey",
  "import_rows_row_number_key",
  "notes_about_one",
  "people_anonymized_is_empty",
  "person_duplicates_people_key",
  "roles_code_key",
  "webhook_endpoints_active_is_verified",
  "webhook_endpoints_pause_reason_known",
  "webhook_endpoints_paused_for_a_reason",
  "webhook_endpoints_status_known",
];

/** The schema of an attribute rejects what such a check rejects. */
const enforcedBySchema = /_(known|form|count)$/;

const errorCodes = { f: "23503", u: "23505", c: "23514" } as const;

test("every constraint of rows that documents describe has words, whatever operation violates it", async () => {
  const indexes = await db<{ name: string; table: string }[]>`
    select i.relname as name, t.relname as table
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where x.indisunique and t.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u'))`;
  const rules = [
    ...constraints,
    ...indexes.map((one) => ({ ...one, kind: "u" as const, onDelete: "", target: null })),
  ];
  const written = [...catalogue.resources.values()].filter(
    ({ operations: { create, delete: remove, update } }) => create ?? update ?? remove,
  );
  const described = new Set([...catalogue.resources.values()].map(({ table }) => table));
  let checked = 0;
  for (const { kind, name, onDelete, table, target } of rules) {
    if (!Object.hasOwn(errorCodes, kind) || withoutWords.includes(name)) continue;
    if (!(described.has(table) || isJoin(table))) continue;
    // Callers of an account that is deleted are rejected before.
    if (kind === "f" && target === "accounts") continue;
    const error = { code: errorCodes[kind as keyof typeof errorCodes], constraint: name };
    for (const of of written) {
      const verbs = [undefined, ...(of.operations.delete ? ["delete" as const] : [])];
      for (const verb of verbs) {
        // A deletion breaks keys that lead to the row, and only those that say nothing about deletions.
        if (kind === "f" && verb && (onDelete !== "refused" || target !== of.table)) continue;
        // Files are no resources, and the key of one fails only by a mistake of the service.
        if (kind === "f" && target === "files") continue;
        // Values that other types write fit the schemas, too.
        if (kind === "c" && of.table !== table && enforcedBySchema.test(name)) continue;
        checked += 1;
        const answer = constraintError({ catalogue }, of, error, verb);
        const told = `${verb ?? "write"} ${of.type}: ${name}`;
        assert.ok(answer, `${told} has no words. Say it in \`constraints\` of the definition`);
        assert.ok(answer.status === 409 || answer.status === 422, told);
        const [{ source } = {}] = answer.problems;
        const [, kindOfMember, member = ""] =
          /^\/data\/(attributes|relationships)\/([^/]+)/.exec(
            source && "pointer" in source ? source.pointer : "",
          ) ?? [];
        if (kindOfMember !== undefined)
          assert.ok(
            Object.hasOwn(of[kindOfMember as "attributes"], member),
            `${told} at ${member}`,
          );
      }
    }
  }
  assert.ok(checked > 1_000);
});

test("a table of an account has account_id first in its primary key", () => {
  for (const table of tenantTables) {
    const key = constraints.find((one) => one.table === table && one.kind === "p");
    assert.equal(
      key?.columns[0],
      "account_id",
      `${table}: put account_id first, or list it as a reference table`,
    );
  }
});

test("every reference table on the list exists", () => {
  assert.deepEqual(
    referenceTables.filter((table) => !tables.includes(table)),
    [],
  );
});

test("a foreign key between tables of an account carries account_id on both sides, in the same place", () => {
  for (const { columns: from, name, table, target, targetColumns } of foreignKeys) {
    if (!tenantTables.includes(table) || !tenantTables.includes(target ?? "")) continue;
    assert.equal(from[0], "account_id", name);
    assert.equal(targetColumns?.[0], "account_id", name);
  }
});

test("nothing of an account is unique across accounts", async () => {
  const indexes = await db<{ table: string; name: string; columns: string[] }[]>`
    select t.relname as table, i.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where x.indisunique and t.relnamespace = 'public'::regnamespace`;
  for (const { columns: unique, name, table } of indexes)
    if (tenantTables.includes(table))
      assert.ok(unique.includes("account_id"), `${name} says whether another account has it`);
});

test("a foreign key is named after its column, so that its violation finds the error text", () => {
  const resources = new Map([...catalogue.resources.values()].map((of) => [of.table, of]));
  for (const { columns: from, name, table } of foreignKeys) {
    const own = from.filter((each) => each !== "account_id");
    if (own.length === 0 || !(resources.has(table) || isJoin(table))) continue;
    assert.equal(name, foreignKeyName(table, own[0] ?? ""), `${table} (${from.join(", ")})`);
  }
});

const isJoin = (table: string) =>
  [...catalogue.resources.values()].some((of) =>
    Object.values(of.relationships).some((one) => one.kind === "to-many" && one.table === table),
  );

test("a foreign key leads where its relationship says, and every relationship has one", () => {
  for (const of of withRows)
    for (const [name, relationship] of Object.entries(of.relationships)) {
      if ("expression" in relationship) continue;
      const [table, from] =
        relationship.kind === "to-one"
          ? [of.table, relationship.column]
          : [relationship.table, relationship.to];
      if (from === "id" || of.type === "accounts") continue;
      // History and authorship outlive what they refer to.
      if (column(table, from)?.viewed || "dangling" in relationship) continue;
      const key = foreignKeys.find((one) => one.table === table && one.columns.includes(from));
      const target = catalogue.resources.get(relationship.target) as Resource;
      assert.equal(key?.target, target.table, `${of.type}.${name}`);
    }
});

test("a foreign key to people says what becomes of the row when the person is deleted", () => {
  const refused = foreignKeys.filter(
    ({ onDelete, target }) => target === "people" && onDelete === "refused",
  );
  assert.deepEqual(
    refused.map(({ name }) => name),
    [],
    "add `on delete cascade` or `on delete set null`",
  );
});

test("a column that names a person has a foreign key, unless it names the author of something", () => {
  const loose = columns.filter(
    ({ name, table, type, viewed }) =>
      !viewed &&
      type === "uuid" &&
      name === "person_id" &&
      !foreignKeys.some((key) => key.table === table && key.columns.includes(name)),
  );
  assert.deepEqual(
    loose.map(({ name, table }) => `${table}.${name}`),
    // It is looked up before the account is known. access/logins.ts deletes its rows.
    ["logins.person_id"],
    "authors are named `…_by` and keep the id of a deleted person. Other columns need a foreign key",
  );
});

test("every column that names a person has a rule for merges in the manifest of its feature", () => {
  const keys = foreignKeys
    .filter(({ target }) => target === "people")
    .map(({ columns: from, table }) => `${table}.${from.at(-1)}`);
  assert.deepEqual(
    Object.keys(catalogue.personColumns).sort(),
    [...keys, "logins.person_id"].sort(),
    "add the column to `personColumns` in the feature.ts of its feature: `moved(type)` if all rows pass" +
      " to the kept person, `linked(to)` for a joining table, `deleted` if they end with the removed person, or a" +
      " function such as mergeMemberships in features/cells/merge.ts if a person can have only one of them",
  );
});

test("history of a type that is deleted with a person is deleted with the person", () => {
  const falling = new Set(["people"]);
  // It grows while it is walked.
  for (const fallen of falling)
    for (const { onDelete, table, target } of foreignKeys)
      if (target === fallen && onDelete === "cascade") falling.add(table);
  falling.delete("people");
  const telling = [...catalogue.resources.values()].filter(
    ({ captures, table }) => captures && falling.has(table),
  );
  const cascades = cascadingTypes(catalogue);
  assert.deepEqual(
    cascades.flatMap(({ stays, table }) => (stays ? [] : table)),
    telling.map(({ table }) => table),
    "its relationship to the person is required, or people/cascade.ts has to learn of it",
  );
  for (const { column: name, stays, table } of cascades) {
    const key = foreignKeys.find((one) => one.table === table && one.columns.includes(name));
    assert.equal(key?.onDelete, stays ? "set null" : "cascade", `${table}.${name}`);
  }
});

test("rows deleted with a course or a person are found by an index", async () => {
  const indexes = await db<{ table: string; columns: string[] }[]>`
    select t.relname as table, array(select a.attname::text from unnest(x.indkey) with ordinality as key(n, place)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = key.n order by place) as columns
    from pg_index x join pg_class t on t.oid = x.indrelid where t.relnamespace = 'public'::regnamespace`;
  const missing = foreignKeys
    .filter(
      ({ columns: from }) =>
        !/(required_course_id|class_id)$/.test(from.at(-1) ?? "") &&
        from[0] === "account_id" &&
        from.length > 1,
    )
    .filter(
      ({ columns: from, table }) =>
        !indexes.some(
          (index) =>
            index.table === table && from.every((each, place) => index.columns[place] === each),
        ),
    )
    .map(({ name }) => name);
  assert.deepEqual(missing, []);
});

test("the lists that grow with an account are read in their order from an index", async () => {
  const account = await makeAccount(db);
  const grown: [string, string[]][] = [
    ["people", ["full-name", "created-at"]],
    ["courses", ["name"]],
  ];
  await db.begin(undefined, async (tx) => {
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_bitmapscan = off`;
    for (const [type, names] of grown) {
      const of = catalogue.resources.get(type) as Resource;
      for (const name of names)
        for (const direction of ["asc", "desc"]) {
          const sorted = of.sorts[name]?.column;
          const order = `${of.table}."${sorted}" ${direction}${sorted === "id" ? "" : `, ${of.table}.id ${direction}`}`;
          const plan = await tx.query(
            `explain select id from ${of.table} where account_id = '${account.id}' order by ${order} limit 100`,
          );
          const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
          assert.doesNotMatch(text, /Sort/, `${type} by ${name} ${direction}\n${text}`);
        }
    }
  });
});

test("every type has the triggers of the journal that its definition asks for, and no table has others", async () => {
  const triggers = await db<{ made: string }[]>`
    select tgrelid::regclass || ' ' || tgname || E'\\n' || prosrc as made
    from pg_trigger join pg_proc on pg_proc.oid = tgfoid where not tgisinternal`;
  const wanted = [...catalogue.resources.values()]
    .flatMap(triggersOf)
    .map(({ table, name, text }) => `${table} ${name}\n\n${text}\nend `);
  assert.deepEqual(triggers.map(({ made }) => made).sort(), wanted.sort());
});

test("the history is counted from an index alone, whatever it is filtered by", async () => {
  for (const [type, index] of [
    ["webhook-events", "webhook_events_pkey"],
    ["webhook-deliveries", "webhook_deliveries_by_time"],
  ] as const) {
    const [covered] = await db<{ columns: string[] }[]>`
      select array(select attname::text from pg_attribute where attrelid = ${index}::regclass) as columns`;
    const { filters } = catalogue.resources.get(type) as Resource;
    // The view derives the outcome from the status alone.
    const stored = (column: string) => (column === "outcome" ? "status" : column);
    // Deliveries of an event are found by key.
    for (const [name, filter] of Object.entries(filters).filter(([name]) => name !== "event"))
      assert.ok(
        "column" in filter && covered?.columns.includes(stored(filter.column)),
        `${type} by ${name}`,
      );
  }
});
