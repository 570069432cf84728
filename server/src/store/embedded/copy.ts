import { chownSync, lchownSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "./account.ts";

/**
 * A data directory that root copied without its owners (`cp -r`). PostgreSQL never runs as root, so no server has ever
 * written to a cluster that belongs to root, and none is running on it.
 *
 * True only if root also owns the data directory. Another owner could have linked root's files there, and the service
 * would give them away.
 */
export function isCopyOfRoots(dataDir: string, home: string): boolean {
  return [dataDir, join(home, "cluster")].every(
    (path) => statSync(path, { throwIfNoEntry: false })?.uid === 0,
  );
}

/** The cluster itself last: interrupted, it is still a copy of root's for the next start. */
export function giveCopy({ gid, uid }: Account, home: string): void {
  chownSync(home, uid, gid);
  const give = (path: string) => {
    const stats = lstatSync(path);
    if (stats.isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
    // Links are given themselves: what they lead to is somebody else's.
    if (stats.uid === 0) lchownSync(path, uid, gid);
  };
  give(join(home, "cluster"));
}
