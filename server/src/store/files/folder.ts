import { mkdirSync } from "node:fs";
import { mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type FileStore, stored } from "./file-store.ts";

/** Directories are made when they are needed, with access for this user only. */
const OWNER_ONLY = 0o700;

/** Keeps files in a directory, one directory for each account. Several nodes can share it. */
export function folderStore(directory: string): FileStore {
  const incoming = join(directory, "incoming");
  const pathOf = (key: string) => join(directory, key);
  return {
    get incoming() {
      mkdirSync(incoming, { recursive: true, mode: OWNER_ONLY });
      return incoming;
    },
    keep: (path, key) =>
      stored(async () => {
        await mkdir(dirname(pathOf(key)), { recursive: true, mode: OWNER_ONLY });
        await rename(path, pathOf(key));
      }),
    read: (key, range) =>
      stored(async () => {
        const handle = await unlessAbsent(open(pathOf(key)));
        return handle?.createReadStream({ ...range });
      }),
    remove: (key) => stored(() => rm(pathOf(key), { force: true })),
    async *list() {
      const all = await unlessAbsent(opendir(directory, { recursive: true }));
      for await (const entry of all ?? []) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await unlessAbsent(stat(path));
        if (found)
          yield {
            key: path.slice(directory.length + 1).replaceAll("\\", "/"),
            modifiedAt: found.mtime,
          };
      }
    },
  };
}

async function unlessAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
