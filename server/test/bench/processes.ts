import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** The service and its PostgreSQL share one core. The client and the receiver share another one. */
export const SERVICE_CORE = 0;
export const LOAD_CORE = 1;

/** The figures of processes come from /proc. */
export const hasProcessorTimes = existsSync("/proc/self/stat");

export const isPinned = existsSync("/usr/bin/taskset") && availableParallelism() > 1;

/** Moves a process with all its threads, what it has started, and what it starts later. */
export function pin(pid: number, core: number): void {
  if (!isPinned) return;
  for (const one of withDescendants(pid))
    execFileSync("taskset", ["-acp", String(core), String(one)], { stdio: "ignore" });
}

/** The kernel counts in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

/** The processor time of a process and of all that it started, those that have ended too. Not a number on systems without /proc. */
export function cpuMicroseconds(pid: number): number {
  if (!hasProcessorTimes) return Number.NaN;
  let ticks = 0;
  for (const one of withDescendants(pid))
    for (const part of fieldsOf(one).slice(11, 15)) ticks += Number(part);
  return ticks * TICK_MICROSECONDS;
}

/** The number of times that a process, or one that it started, waited for something. Each thread counts for itself. */
export function contextSwitches(pid: number): number {
  if (!hasProcessorTimes) return Number.NaN;
  let switches = 0;
  for (const one of withDescendants(pid)) switches += switchesOf(one);
  return switches;
}

function switchesOf(pid: number): number {
  try {
    let switches = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
      switches += Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
    }
    return switches;
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}

function withDescendants(pid: number): number[] {
  const pids = readdirSync("/proc").map(Number);
  const children = Map.groupBy(
    pids.filter((one) => one > 0),
    parentOf,
  );
  const found = [pid];
  // The loop also visits the processes that it adds.
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found;
}

/** Not a number if the process has ended. */
export const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** The fields of `/proc/<pid>/stat` that follow the name, because a name may contain anything. Empty if the process has ended. */
function fieldsOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
