import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** The service and its PostgreSQL have one core, and who asks and who receives have another one. */
export const SERVICE_CORE = 0;
export const LOAD_CORE = 1;

export const isPinned = existsSync("/usr/bin/taskset") && availableParallelism() > 1;

/** Moves a process with all its threads, and what it starts later. */
export function pin(pid: number, core: number): void {
  if (isPinned) execFileSync("taskset", ["-acp", String(core), String(pid)], { stdio: "ignore" });
}

/** The kernel counts in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

/** The processor time of a process and of those that it started. Not a number on systems without /proc. */
export function cpuMicroseconds(pid: number): number {
  let ticks = 0;
  for (const one of withDescendants(pid)) {
    const [user = 0, system = 0] = fieldsOf(one).slice(11, 13).map(Number);
    ticks += user + system;
  }
  return ticks * TICK_MICROSECONDS;
}

/** How often a process, or one that it started, waited for something. Each thread counts for itself. */
export function contextSwitches(pid: number): number {
  let switches = 0;
  for (const one of withDescendants(pid))
    for (const thread of readdirSync(`/proc/${one}/task`))
      switches += Number(
        /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(
          readFileSync(`/proc/${one}/task/${thread}/status`, "utf8"),
        )?.[1],
      );
  return switches;
}

function withDescendants(pid: number): number[] {
  const children = Map.groupBy(
    readdirSync("/proc")
      .map(Number)
      .filter((one) => one > 0),
    (one) => Number(fieldsOf(one)[1]),
  );
  const found = [pid];
  // The loop also visits the processes that it adds.
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found;
}

export const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** The fields behind the name, which may contain anything. None of a process that has ended. */
function fieldsOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
