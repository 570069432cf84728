import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { insertion } from "./sql.ts";
import type { Db, Tx } from "./db.ts";

/**
 * The views and functions that features publish to each other. Each one stands in the `facts.sql` of the feature that owns
 * the rule. Migrations are applied once, and facts are applied again whenever their text changes. Text that only uses
 * `create or replace` can be applied to every database, and PostgreSQL then refuses to remove a column of a view or to change
 * the type of a result. Nodes of the version before therefore keep working. The triggers of the journal follow the facts, because
 * their functions are facts.
 */
export interface Facts {
  sql: string;
  hash: string;
  /** `npm run generate` raises it when the text changes. It tells a node whether the facts of the database are newer. */
  revision: number;
}

/** The name by which commands and reports call the facts. */
export const FACTS = "facts";

const sources = new URL("../", import.meta.url);
const record = new URL("../../facts.json", import.meta.url);

export async function readFacts(newTriggers?: string): Promise<Facts> {
  const names = (await readdir(new URL("features/", sources))).map((name) => `features/${name}`);
  const texts = await Promise.all(
    [...names.sort(), "webhooks"].map((folder) =>
      readFile(new URL(`${folder}/facts.sql`, sources), "utf8").catch(noneWithout),
    ),
  );
  const triggers = newTriggers ?? (await readFile(new URL("../journal.sql", sources), "utf8"));
  const sql = [...inOrder(texts.filter((text) => text !== "")), triggers].join("\n");
  const { revision } = JSON.parse(await readFile(record, "utf8")) as Pick<Facts, "revision">;
  return { sql, hash: createHash("sha256").update(sql).digest("hex"), revision };
}

function noneWithout(error: unknown): string {
  // Editors and desktops leave files beside the folders.
  if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
  throw error;
}

/** Each text after those that define what it mentions. */
function inOrder(texts: readonly string[]): string[] {
  const ordered: string[] = [];
  const add = (text: string, users: readonly string[]): void => {
    if (ordered.includes(text)) return;
    if (users.includes(text)) throw new Error(`Facts use each other in a circle:\n${text}`);
    for (const other of texts)
      if (other !== text && namesIn(other).some((name) => mentions(text, name)))
        add(other, [...users, text]);
    ordered.push(text);
  };
  for (const text of texts) add(text, []);
  return ordered;
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/^create or replace (?:view|function) (\w+)/gm)].map(([, name = ""]) => name);

const mentions = (text: string, name: string): boolean =>
  new RegExp(`\\b${name}\\b`).test(text.replaceAll(/--.*$/gm, ""));

/** The content of `server/facts.json` for the text of this moment and these triggers. */
export async function factsRecord(triggers: string): Promise<string> {
  const { hash, revision } = await readFacts(triggers);
  const known = JSON.parse(await readFile(record, "utf8")) as Pick<Facts, "hash">;
  const next = known.hash === hash ? revision : revision + 1;
  return `${JSON.stringify({ revision: next, hash }, null, 2)}\n`;
}

export type AppliedFacts = Pick<Facts, "hash" | "revision">;

/** The facts of the database. Undefined before the first ones are applied. */
export async function appliedFacts(db: Db | Tx): Promise<AppliedFacts | undefined> {
  const [table] = await db`select to_regclass('schema_facts') as name`;
  if (table?.["name"] === null) return undefined;
  const [latest] = await db<AppliedFacts[]>`
    select revision, hash from schema_facts order by revision desc limit 1`;
  return latest;
}

/** A node never replaces newer facts by its own. */
export const areNewer = (facts: Facts, applied: AppliedFacts | undefined): boolean =>
  applied === undefined ||
  facts.revision > applied.revision ||
  (facts.revision === applied.revision && facts.hash !== applied.hash);

/** The caller holds the lock of migrations. */
export async function applyFacts(tx: Tx, facts: Facts): Promise<boolean> {
  if (!areNewer(facts, await appliedFacts(tx))) return false;
  await tx.query(facts.sql);
  const { hash, revision } = facts;
  await tx`
    insert into schema_facts ${insertion({ revision, hash })}
    on conflict (revision) do update set hash = excluded.hash, applied_at = now()`;
  return true;
}

/** A migration can drop facts, so the next step of the migration applies all of them again. */
export const forgetFacts = (tx: Tx) => tx`update schema_facts set hash = ''`;
