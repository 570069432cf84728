import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * Which process a process id means.
 *
 * A process id alone proves nothing: ids are given again, soon in containers, surely after a reboot. Together with the
 * moment the process started (and, on Linux, the boot it belongs to) it names one process for good.
 */
export type Identity = string;

/** Absent when there is no such process; one that has died but not yet been reaped does not count. */
export function identityOf(pid: number): Identity | undefined {
  if (!isSignalable(pid)) return undefined;
  try {
    return process.platform === "linux" ? linuxIdentity(pid) : otherIdentity(pid);
  } catch {
    // It ended between the two looks, or this system does not tell: then the id has to do.
    return isSignalable(pid) ? "unknown" : undefined;
  }
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function linuxIdentity(pid: number): Identity | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name in parentheses and may hold spaces and parentheses itself: count after the last.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, startedAtTick] = [fields[0], fields[19]];
  if (state === "Z" || state === "X") return undefined;
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return `${boot}/${startedAtTick}`;
}

function otherIdentity(pid: number): Identity | undefined {
  if (process.platform === "win32") return "unknown";
  const [state, ...startedAt] = ps(pid, "stat=,lstart=").split(/\s+/);
  return state?.startsWith("Z") ? undefined : startedAt.join(" ");
}

function ps(pid: number, columns: string): string {
  return execFileSync("ps", ["-o", columns, "-p", String(pid)], { encoding: "utf8" }).trim();
}

/** Whether this process is a PostgreSQL server of this cluster, and not merely one that inherited its id. */
export function serves(pid: number, cluster: string): boolean {
  if (identityOf(pid) === undefined) return false;
  try {
    // Every PostgreSQL process works in the directory of its cluster; elsewhere, we named it when we started it.
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    if (process.platform === "win32") return true;
    const command = ps(pid, "command=");
    return command.includes("postgres") && command.includes(cluster);
  } catch {
    // Another user's process, which a server that we started never is, or a process that has just ended.
    return false;
  }
}
