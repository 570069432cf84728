import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../../base/clock.ts";
import type { Db } from "../../store/db.ts";
import { json } from "../../store/sql.ts";

/**
 * The identity of a database, which differs from those of its copies. A part is absent if it is not known.
 *
 * A dump that is restored has another server or another database. A copy of the data directory of the embedded database is
 * another directory. A clone of an external server has the same server and database, so the address of the service counts too.
 * A failover keeps all of them.
 */
export interface Identity {
  /** The system identifier of the cluster. Replicas have the same. */
  server?: string;
  database?: string;
  /** The inode of the embedded cluster. */
  directory?: string;
  /** PUBLIC_URL, if it is set. */
  url?: string;
}

const parts = {
  server: "another database server",
  database: "another database",
  directory: "another directory",
  url: "another PUBLIC_URL",
} as const;

type Part = keyof typeof parts;

/** `dataDir` is that of an embedded database. */
export async function identityOf(
  db: Db,
  { dataDir, url }: { dataDir?: string | undefined; url?: string | undefined },
): Promise<Identity> {
  const [database] = await db<{ oid: string }[]>`
    select oid::text as oid from pg_database where datname = current_database()`;
  const server = await serverOf(db);
  return {
    ...(server !== undefined && { server }),
    ...(database && { database: database.oid }),
    ...(dataDir !== undefined && { directory: inodeOf(join(dataDir, "postgres", "cluster")) }),
    ...(url !== undefined && { url }),
  };
}

const inodeOf = (path: string): string => statSync(path, { bigint: true }).ino.toString();

/** Errors of servers that do not have the function, or do not let their users call it. */
const UNSUPPORTED = ["0A000", "42501", "42883"];

async function serverOf(db: Db): Promise<string | undefined> {
  try {
    const [row] = await db<{ id: string }[]>`
      select system_identifier::text as id from pg_control_system()`;
    return row?.id;
  } catch (error) {
    if (UNSUPPORTED.includes(String((error as { code?: unknown }).code))) return undefined;
    throw error;
  }
}

/**
 * Compares the identity that this node sees with the recorded one, and returns the differences in words. The first node of an
 * installation records its own. Without endpoints there is nothing to hold, and the identity is recorded again.
 */
export async function differencesOf(db: Db, seen: Identity): Promise<readonly string[]> {
  await db`
    insert into webhook_installation (identity) values (${json(seen)}::text::jsonb)
    on conflict do nothing`;
  const [row] = await db<{ recorded: Identity }[]>`
    select identity as recorded from webhook_installation`;
  if (!row) return [];
  const { recorded } = row;
  const different = (Object.keys(parts) as Part[]).filter(
    (part) =>
      recorded[part] !== undefined && seen[part] !== undefined && recorded[part] !== seen[part],
  );
  if (different.length === 0) {
    // A part may have been unknown before.
    await db`
      update webhook_installation set identity = identity || ${json(seen)}::text::jsonb
      where not identity @> ${json(seen)}::text::jsonb`;
    return [];
  }
  const [live] = await db`select from webhook_endpoints where status <> 'deleted' limit 1`;
  if (!live) {
    await db`
      update webhook_installation
      set identity = ${json(seen)}::text::jsonb, held_identity = null, held_at = null`;
    return [];
  }
  await db`
    update webhook_installation
    set held_identity = ${json(seen)}::text::jsonb, held_at = coalesce(held_at, now())`;
  return different.map((part) => parts[part]);
}

const ASK_MS = 2 * SECOND;

/** Resolves when the operator has released the copy. */
export async function untilReleased(db: Db, seen: Identity, signal: AbortSignal): Promise<void> {
  for (;;) {
    await wait(ASK_MS, undefined, { signal, ref: false });
    const isHeld = await differencesOf(db, seen).then(
      (differences) => differences.length > 0,
      () => true,
    );
    signal.throwIfAborted();
    if (!isHeld) return;
  }
}

/** The time since which a node holds the webhooks of this database. */
export async function heldSince(db: Db): Promise<string | undefined> {
  const [row] = await db<{ since: string | null }[]>`
    select held_at as since from webhook_installation`;
  return row?.since ?? undefined;
}

/** Makes the copy that a node has found the one that sends. Returns false if none is held. */
export async function release(db: Db): Promise<boolean> {
  const { count } = await db`
    update webhook_installation
    set identity = identity || held_identity, held_identity = null, held_at = null
    where held_identity is not null`;
  return count > 0;
}
