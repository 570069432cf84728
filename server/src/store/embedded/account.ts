import { readFileSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The operating system user that runs PostgreSQL. PostgreSQL refuses to run as root, so a service that root started runs
 * it as an unprivileged user and gives this user access to the files it needs.
 */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns undefined to use the current user. An existing cluster keeps its owner, regardless of the current user. */
export function accountFor(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = statSync(cluster, { throwIfNoEntry: false });
  if (existing !== undefined && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };

  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find((user) => user[0] === name) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    "PostgreSQL does not run as root, and this system has neither a user `postgres` nor a user `nobody`: " +
      "start the service as an ordinary user.",
  );
}

/** Whether the account may read the file or directory and pass every directory above it. */
export function reaches(account: Account | undefined, path: string): boolean {
  if (account === undefined) return true;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !allows(stats, account, 4)) return false;
  return passesTo(account, stats.isDirectory() ? path : dirname(path));
}

/** Whether the account may go into this directory, and so into everything that is its own there. */
export function passesTo(account: Account | undefined, directory: string): boolean {
  return account === undefined || closedTo(account, directory).length === 0;
}

/** The directories on the way into this one, and it itself, that the account may not go into. */
export function closedTo(account: Account, directory: string): string[] {
  const stats = statSync(directory, { throwIfNoEntry: false });
  const parent = dirname(directory);
  const above = parent === directory ? [] : closedTo(account, parent);
  return stats !== undefined && allows(stats, account, 1) ? above : [...above, directory];
}

/** By the classic bits. Access control lists are not read; at worst something is put elsewhere without need. */
function allows(stats: Stats, account: Account, bit: 1 | 4): boolean {
  if (stats.uid === account.uid) return (stats.mode & (bit << 6)) !== 0;
  if (stats.gid === account.gid) return (stats.mode & (bit << 3)) !== 0;
  return (stats.mode & bit) !== 0;
}
