import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/** A reason why a data directory cannot be used, and its remedy, in one sentence each. */
export interface Obstacle {
  problem: string;
  remedy: string;
}

export class DataDirectoryUnusable extends Error {
  constructor({ problem, remedy }: Obstacle) {
    super(`${problem} ${remedy}`);
    this.name = "DataDirectoryUnusable";
  }
}

const dataDirectory = { what: "data directory", setting: "DATA_DIR" };

/**
 * Judged by the nearest directory that is there, before anything is made. To try and see would not do: the error names
 * the last directory of the path, whichever is in the way, and Node tries for ever to make one under /proc.
 */
export function obstacleTo(dataDir: string, named = dataDirectory): Obstacle | undefined {
  const nearest = nearestTo(dataDir);
  const itself = nearest === dataDir;
  const place = itself ? "it" : nearest;
  const obstacle = (what: string, remedy: string): Obstacle => {
    const cannot = `The ${named.what} ${dataDir} cannot be ${itself ? "used" : "made"}`;
    return { problem: `${cannot}: ${what}.`, remedy };
  };
  const another = `Set ${named.setting} to another directory.`;
  const there = follow(nearest);
  if (there === undefined)
    return obstacle(`${place} is a link that leads to nothing within reach`, another);
  if (!there.isDirectory()) return obstacle(`${place} is not a directory`, another);
  try {
    const { R_OK, W_OK, X_OK } = constants;
    accessSync(nearest, W_OK | X_OK | (itself ? R_OK : 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EROFS")
      return obstacle(`${place} is on a file system that cannot be written to`, another);
    const whose = `${itself ? ownRemedy(dataDir) : ""}or set ${named.setting} to another directory.`;
    const rights = itself ? "read and write" : "write to";
    return obstacle(
      `this user may not ${rights} ${place}`,
      `Run as the user who runs the service, ${whose}`,
    );
  }
  if (!itself && systems.has(statfsSync(nearest).type))
    return obstacle(`${place} shows the system itself and keeps no files`, another);
  return undefined;
}

/** /proc and /sys, by the types that Linux gives them: root may write there, and yet make nothing. */
const systems = new Set([0x9fa0, 0x62656572]);

/** Root makes a copy in its own name unless told to keep the owners. */
export function ownRemedy(dataDir: string): string {
  const uid = process.getuid?.();
  return uid ? `let root run chown -R ${uid}:${process.getgid?.()} ${dataDir}, ` : "";
}

/** Returns the path, or its nearest existing parent that this user can see. */
function nearestTo(path: string): string {
  const parent = dirname(path);
  return parent === path || isThere(path) ? path : nearestTo(parent);
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function follow(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export function requireUsable(dataDir: string): void {
  const obstacle = obstacleTo(dataDir);
  if (obstacle) throw new DataDirectoryUnusable(obstacle);
}

export function makeDataDirectory(dataDir: string): void {
  requireUsable(dataDir);
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true });
  // Root's may be passed through by the user who runs PostgreSQL; everyone else's is their own.
  chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
}
