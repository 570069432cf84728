import { HOUR, MINUTE, SECOND } from "../../base/clock.ts";
import { notFound } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { Job } from "../../jobs/jobs.ts";
import { noteAuthorship } from "../../events/author.ts";
import { enqueue, type Queue } from "../../jobs/queues.ts";
import {
  type Db,
  HOME,
  inGlobalTransaction,
  inTransaction,
  type Queryable,
  type Tx,
} from "../../store/db.ts";
import { keyOf } from "../../store/files/file-store.ts";
import { insertion } from "../../store/sql.ts";
import type { Services } from "../definition/feature.ts";
import type { Attribute } from "../definition/attributes.ts";
import { columnOf } from "../definition/members.ts";
import type { NewFile, WriteContext } from "../definition/resource.ts";
import { type Updated, updateRow } from "./write.ts";

/**
 * The rows of files. A file exists from the commit that inserts its row. Its bytes are stored before, and removed after the commit
 * that deletes the row.
 *
 *     addFile, discardFiles    in the transaction that adds or removes the reference
 *     fileRemovals             removes the bytes of discarded files
 *     filesJob                 every hour: discards files that nothing names, because a cascade deleted what named them
 *     fileSweep                every day: removes bytes without a row, which are left when a process is killed during an
 *                              upload or when an account is deleted
 */

/** Inserts the row of a file. The same transaction must store a reference to it. */
export async function addFile(tx: Tx, accountId: string, file: NewFile): Promise<void> {
  const { bytes, id, mediaType: media_type, name } = file;
  await tx`insert into files ${insertion({ account_id: accountId, id, name, media_type, bytes })}`;
}

/** Deletes the rows of files that nothing names any more. Their links end with the commit. */
export async function discardFiles(
  tx: Tx,
  accountId: string,
  fileIds: readonly string[],
): Promise<void> {
  if (fileIds.length === 0) return;
  await tx`delete from files where account_id = ${accountId} and id = any(${[...fileIds]}::uuid[])`;
  await enqueue(tx, fileRemovals, { accountId, fileIds });
}

/** Replaces the file that an attribute shows, or removes it. Equal to a PATCH of that attribute. */
export async function replaceFile(
  context: WriteContext,
  id: string,
  member: string,
  file: NewFile | null,
): Promise<Updated> {
  const { actor, db, resource } = context;
  const column = db(columnOf(member, resource.attributes[member] as Attribute));
  const [before] = await db<{ fileId: string | null }[]>`
    select ${column} as "fileId" from ${db(resource.table)}
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();
  if (file) await addFile(db, actor.accountId, file);
  const updated = await updateRow(context, resource, id, {
    attributes: { [member]: file?.id ?? null },
    toOne: {},
    toMany: {},
  });
  // The journal does not keep addresses of files.
  const shown = (fileId: string | null | undefined) => (fileId ? "[redacted]" : null);
  noteAuthorship(db, {
    noted: { [id]: { [member]: { from: shown(before.fileId), to: shown(file?.id) } } },
  });
  if (before.fileId !== null) await discardFiles(db, actor.accountId, [before.fileId]);
  return updated;
}

export interface FileRow {
  name: string;
  mediaType: string;
  bytes: number;
  /** For how many seconds the link still works. */
  secondsLeft: number;
}

/** The file of a link, by the clock of the database. */
export async function findFile(
  db: Queryable,
  { accountId, expires, fileId }: { accountId: string; fileId: string; expires: number },
): Promise<FileRow | undefined> {
  const [row] = await db<FileRow[]>`
    select name, media_type as "mediaType", bytes,
      floor(${expires}::numeric - extract(epoch from now()))::float8 as "secondsLeft"
    from files where account_id = ${accountId} and id = ${fileId}`;
  return row;
}

/** Removes the bytes of discarded files. */
export const fileRemovals: Queue<Services, { accountId: string; fileIds: readonly string[] }> = {
  name: "file-removals",
  atOnce: 10,
  pollSeconds: 5,
  retries: 10,
  retryDelaySeconds: 10,
  retryDelaySecondsMax: HOUR / SECOND,
  secondsMax: (10 * MINUTE) / SECOND,
  async run({ files }, { accountId, fileIds }) {
    for (const id of fileIds) await files.store.remove(keyOf(accountId, id));
  },
};

const DISCARDED_AT_ONCE = 500;

export const filesJob: Job = {
  name: "files",
  schedule: "25 * * * *",
  async run(db) {
    let discarded = 0;
    for (;;) {
      const unnamed = await unnamedFiles(db);
      const byAccount = Map.groupBy(unnamed, ({ accountId }) => accountId);
      for (const [accountId, rows] of byAccount) {
        const ids = rows.map(({ id }) => id);
        await inTransaction(db, accountId, (tx) => discardFiles(tx, accountId, ids));
      }
      discarded += unnamed.length;
      if (unnamed.length < DISCARDED_AT_ONCE) return discarded;
    }
  },
};

/** The catalog of the database lists the columns that name files, so that none can be forgotten. */
async function unnamedFiles(db: Db): Promise<readonly { accountId: string; id: string }[]> {
  const references = await db<{ table: string; column: string }[]>`
    select relation.relname as table, attribute.attname as column
    from pg_constraint key
    join pg_class relation on relation.oid = key.conrelid
    join pg_attribute attribute on attribute.attrelid = key.conrelid
      and attribute.attnum = any(key.conkey) and attribute.attname <> 'account_id'
    where key.contype = 'f' and key.confrelid = 'files'::regclass`;
  const named = references.map(
    ({ column, table }) => db`and not exists (select from ${db(table)} x
      where x.account_id = files.account_id and x.${db(column)} = files.id)`,
  );
  return db<{ accountId: string; id: string }[]>`
    select account_id as "accountId", id from files where true ${named} limit ${DISCARDED_AT_ONCE}`;
}

export const fileSweepJob: Job = {
  name: "file-sweep",
  schedule: "10 3 * * *",
  async run(db) {
    await inGlobalTransaction(db, (tx) => enqueue(tx, fileSweeps, {}));
    return 0;
  },
};

const KEYS_AT_ONCE = 1_000;

/** Removes bytes without a row, once they are older than any upload that is still running. */
export const fileSweeps: Queue<Services> = {
  name: "file-sweeps",
  atOnce: 1,
  pollSeconds: 60,
  retries: 2,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: HOUR / SECOND,
  secondsMax: (6 * HOUR) / SECOND,
  async run({ db, files, signal }) {
    const { store } = files;
    const [clock] = await db<{ now: number }[]>`
      select (extract(epoch from now()) * 1000)::float8 as now`;
    const before = (clock?.now ?? 0) - limits.fileWithoutRowMs;
    let keys: string[] = [];
    const removeOrphans = async () => {
      signal.throwIfAborted();
      for (const key of await withoutRow(db, keys)) await store.remove(key);
      keys = [];
    };
    for await (const { key, modifiedAt } of store.list()) {
      // A bucket can contain objects of other programs.
      if (!KEY.test(key) || modifiedAt.getTime() > before) continue;
      if (keys.push(key) === KEYS_AT_ONCE) await removeOrphans();
    }
    await removeOrphans();
  },
};

const KEY = /^(incoming|[0-9a-f-]{36})\/[0-9a-f-]{36}(\.jpeg)?$/;

async function withoutRow(db: Db, keys: readonly string[]): Promise<string[]> {
  const ids = keys.map((key) => key.split("/")[1] ?? "").filter(isId);
  const rows = await db<{ accountId: string; id: string }[]>`
    select account_id as "accountId", id from files where id = any(${ids}::uuid[])`;
  const known = new Set(rows.map(({ accountId, id }) => keyOf(accountId, id)));
  const lost = keys.filter((key) => !known.has(key));
  return lost.length === 0 ? [] : onThisServer(db, lost);
}

/** Those whose account lives on this server. All servers share the files. The home removes those of deleted accounts. */
async function onThisServer(db: Db, keys: readonly string[]): Promise<string[]> {
  const accountIds = keys.map((key) => key.split("/")[0] ?? "").filter(isId);
  const homes = await (db.home ?? db)<{ accountId: string; server: number }[]>`
    select account_id as "accountId", server from account_homes
    where account_id = any(${accountIds}::uuid[])`;
  const servers = new Map(homes.map(({ accountId, server }) => [accountId, server]));
  return keys.filter((key) => (servers.get(key.split("/")[0] ?? "") ?? HOME) === db.server);
}
