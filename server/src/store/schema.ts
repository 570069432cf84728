import type { Queryable } from "./db.ts";

/**
 * The schema as it stands, as readable SQL in an order of its own: what all migrations together come to. It is for
 * reviews and for reading, not for restoring from, and says the same on every supported version of PostgreSQL.
 */
export async function schemaSql(db: Queryable): Promise<string> {
  const parts = [
    "-- Generated from a migrated database by `npm run generate`. To change it, add a migration.",
    ...(await lines(db, EXTENSIONS)),
    ...(await lines(db, FUNCTIONS)),
    ...(await lines(db, TABLES)),
    ...(await lines(db, VIEWS)),
    ...(await lines(db, TRIGGERS)),
  ];
  return `${parts.join("\n\n")}\n`;
}

async function lines(db: Queryable, statement: string): Promise<string[]> {
  const rows = await db.query<{ text: string }[]>(statement);
  return rows.map(({ text }) => text);
}

/** Excludes objects that belong to an extension. */
const OURS = (catalogue: string, oid: string) =>
  `not exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e')`;

const EXTENSIONS = `
  select 'create extension ' || extname || ';' as text from pg_extension
  where extname <> 'plpgsql' order by extname`;

/** Those of triggers stand in `journal.sql`. */
const FUNCTIONS = `
  select rtrim(pg_get_functiondef(p.oid), E'\\n ') || ';' as text
  from pg_proc p where p.pronamespace = 'public'::regnamespace and ${OURS("pg_proc", "p.oid")}
    and p.prorettype <> 'trigger'::regtype
  order by p.proname, pg_get_function_identity_arguments(p.oid) collate "C"`;

const COLUMNS = `
  select string_agg('  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
            when a.attidentity = 'a' then ' generated always as identity'
            when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
    || case when a.attnotnull then ' not null' else '' end, E',\\n' order by a.attnum)
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

/** From 18 on, NOT NULL is a constraint with a name; the columns say it already. */
const CONSTRAINTS = `
  select string_agg('  constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid), E',\\n'
    order by array_position(array['p', 'u', 'c', 'x', 'f'], k.contype::text), k.conname)
  from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'x', 'f')`;

const INDEXES = `
  select string_agg(E'\\n' || pg_get_indexdef(i.indexrelid) || ';', '' order by i.indexrelid::regclass::text collate "C")
  from pg_index i where i.indrelid = c.oid
  and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))`;

const TABLES = `
  select 'create table ' || quote_ident(c.relname) || E' (\\n' || (${COLUMNS})
    || coalesce(E',\\n' || (${CONSTRAINTS}), '') || E'\\n)'
    || case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end || ';'
    || coalesce((${INDEXES}), '') as text
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  and not c.relispartition and ${OURS("pg_class", "c.oid")}
  order by c.relname`;

const VIEWS = `
  select 'create view ' || quote_ident(c.relname) || E' as\\n' || pg_get_viewdef(c.oid) as text
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and ${OURS("pg_class", "c.oid")}
  order by c.relname`;

const TRIGGERS = `
  select pg_get_triggerdef(t.oid) || ';' as text from pg_trigger t
  where not t.tgisinternal and t.tgparentid = 0 order by t.tgrelid::regclass::text collate "C", t.tgname`;
