import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { newId } from "../../base/ids.ts";

/**
 * Keeps the bytes of files. The table `files` says which files exist:
 *
 *     1  an upload arrives in `incoming` and is checked there
 *     2  `keep` moves it into the store, under a key that no row has yet
 *     3  a transaction inserts the row and the reference to it
 *
 * A process that stops after 1 or 2 leaves bytes without a row. A daily sweep removes them (jsonapi/sql/files.ts).
 */
export interface FileStore {
  /** A directory of this node, where uploads are written while they arrive. */
  readonly incoming: string;
  /** Moves a complete file from `incoming` into the store. */
  keep(path: string, key: string): Promise<void>;
  /** Returns undefined if there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removing an absent file is no error. */
  remove(key: string): Promise<void>;
  /** All stored files, in any order. */
  list(): AsyncIterable<StoredKey>;
}

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredKey {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** A key contains only ids, never the name that a client chose. */
export const keyOf = (accountId: string, fileId: string): string => `${accountId}/${fileId}`;

/** Stores and removes a small file, or throws. */
export async function verifyStore(store: FileStore): Promise<void> {
  const path = join(store.incoming, newId());
  await writeFile(path, "Vestry");
  const key = keyOf("incoming", newId());
  await store.keep(path, key);
  await store.remove(key);
}

/** The storage failed, not the request. */
export class StorageFailed extends Error {
  constructor(cause: unknown) {
    super(`The storage of files failed: ${(cause as Error).message}`, { cause });
    this.name = "StorageFailed";
  }
}

/** Marks the errors of the storage. */
export async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageFailed(error);
  }
}
