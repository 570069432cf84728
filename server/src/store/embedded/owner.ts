import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Identity, identityOf } from "./processes.ts";

/**
 * One service per data directory.
 *
 * `owner.json` names the process that owns the directory. A complete file is linked into place, which only one of two
 * processes can do. It is valid only while that process lives. After a crash, a reboot or the reuse of a process id, the
 * next start recognizes the file as stale.
 *
 * Rejected: a lock held by the kernel (`flock`, an abstract socket) would be simpler, but Node offers none on every
 * platform. The file is needed anyway, because the operator's commands read the address from it.
 */
export interface Owner {
  pid: number;
  identity: Identity;
  /** Once the server accepts connections. */
  url?: string;
  /** Outside the data directory, to be removed with the owner. */
  socketDirectory?: string;
}

export class DataDirectoryInUse extends Error {
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `Another Vestry (process ${pid}) is running on the data directory ${dataDir}: ` +
        "stop it first, or give this one a DATA_DIR of its own.",
    );
    this.name = "DataDirectoryInUse";
    this.pid = pid;
  }
}

export interface Ownership {
  /** A directory that the previous owner left outside the data directory. */
  readonly leftBehind: string | undefined;
  update(known: Pick<Owner, "url" | "socketDirectory">): void;
  release(): void;
}

const fileOf = (dataDir: string) => join(dataDir, "owner.json");

export function own(dataDir: string, writeFile: (path: string, text: string) => void): Ownership {
  const file = fileOf(dataDir);
  const me: Owner = { pid: process.pid, identity: identityOf(process.pid) ?? "unknown" };
  const leftBehind = take(dataDir, me, writeFile);
  let current = me;
  return {
    leftBehind,
    update(known) {
      current = { ...current, ...known };
      const aside = asideOf(file);
      writeFile(aside, JSON.stringify(current));
      renameSync(aside, file);
    },
    release() {
      if (readOwner(dataDir)?.pid === me.pid) rmSync(file, { force: true });
    },
  };
}

function take(dataDir: string, me: Owner, writeFile: (path: string, text: string) => void) {
  const file = fileOf(dataDir);
  const aside = asideOf(file);
  let leftBehind: string | undefined;
  try {
    writeFile(aside, JSON.stringify(me));
    while (!linkedAs(aside, file)) {
      const owner = readOwner(dataDir);
      if (owner !== undefined && isLive(owner)) throw new DataDirectoryInUse(dataDir, owner.pid);
      leftBehind = owner?.socketDirectory ?? leftBehind;
      removeIfStill(file, owner);
    }
  } finally {
    rmSync(aside, { force: true });
  }
  return leftBehind;
}

function linkedAs(aside: string, file: string): boolean {
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Two starts may find the same dead owner; the slower one must not remove the name of the faster one. */
function removeIfStill(file: string, dead: Owner | undefined): void {
  const aside = asideOf(file);
  try {
    renameSync(file, aside);
  } catch {
    return; // The other one removed it.
  }
  const moved = parse(aside);
  if (moved !== undefined && isLive(moved) && moved.identity !== dead?.identity)
    linkedAs(aside, file);
  rmSync(aside, { force: true });
}

const asideOf = (file: string) => `${file}.${randomBytes(4).toString("hex")}`;

function parse(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

function readOwner(dataDir: string): Owner | undefined {
  return parse(fileOf(dataDir));
}

function isLive(owner: Owner): boolean {
  return identityOf(owner.pid) === owner.identity;
}

export function liveOwner(dataDir: string): Owner | undefined {
  const owner = readOwner(dataDir);
  return owner !== undefined && isLive(owner) ? owner : undefined;
}
