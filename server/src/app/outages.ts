import { MINUTE } from "../base/clock.ts";
import { type Observation, onObservation } from "../base/observe.ts";
import { serverOfError } from "../store/away.ts";
import { HOME } from "../store/db.ts";

/** A full disk is noticed by changes that fail. Without another one for so long, it is no longer reported. */
const FULL_MS = MINUTE;

const DISK_FULL = "53100";

/** Reports in `/readyz` the parts that do not work although the service is ready. */
export function watchOutages(servers: readonly { readonly isAway: boolean }[]): {
  notes: () => string[];
  stop: () => void;
} {
  /** The time of the last failure, by the note about it. */
  const full = new Map<string, number>();
  const stop = onObservation((one) => {
    const note = fullDiskOf(one);
    if (note !== undefined) full.set(note, performance.now());
  });
  const notes = () => [
    ...servers.flatMap(({ isAway }, index) => (isAway ? [noteOn(HOME + index)] : [])),
    ...[...full].flatMap(([note, at]) => (performance.now() - at < FULL_MS ? [note] : [])),
  ];
  return { notes, stop };
}

const noteOn = (server: number): string =>
  server === HOME
    ? `Server ${HOME}, the home, is away. Its accounts get 503. So do log-ins, the requests of visitors and new accounts on all servers.`
    : `Server ${server} is away. Its accounts get 503.`;

function fullDiskOf(one: Observation): string | undefined {
  const error = "error" in one ? one.error : undefined;
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  if (code === DISK_FULL) {
    const server = serverOfError(error);
    return `The disk of ${server === undefined ? "the database" : `server ${server}`} is full. Reads work, and changes and log-ins can get 503.`;
  }
  if (one.kind === "file-storage-failed" && [code, cause?.code].includes("ENOSPC"))
    return "The disk of the files is full. Uploads get 503.";
  return undefined;
}
