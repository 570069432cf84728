import { ApiError, problem } from "./errors.ts";

interface Places {
  atOnce: number;
  /** The default is no limit. */
  queueMax?: number;
  /** The longest wait. The default is no limit. */
  waitMsMax?: number;
  /** The detail of the 503 beyond `queueMax` or `waitMsMax`. */
  busy: string;
}

/**
 * Runs a few pieces of heavy work at a time. A few more wait, and others get 503, so that a flood cannot exhaust the process.
 * Only one piece of each person (`by`) waits, so that one person cannot fill the queue.
 */
export function turns({ atOnce, busy, queueMax = Number.POSITIVE_INFINITY, waitMsMax }: Places) {
  let running = 0;
  /** The person of each waiting piece, by the function that begins it. */
  const waiting = new Map<() => void, string | undefined>();
  const refused = () => new ApiError([problem("unavailable", busy)], { "Retry-After": "2" });

  /** A finished task passes its slot to the next one, so `running` stays the same. */
  const slot = (by: string | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(begin);
        reject(refused());
      };
      const timer = waitMsMax === undefined ? undefined : setTimeout(giveUp, waitMsMax);
      waiting.set(begin, by);
    });

  return async <Result>(work: () => Promise<Result>, by?: string): Promise<Result> => {
    if (running < atOnce) running += 1;
    else {
      const waitsAlready = by !== undefined && waiting.values().some((one) => one === by);
      if (waitsAlready || waiting.size >= queueMax) throw refused();
      await slot(by);
    }
    try {
      return await work();
    } finally {
      const [next] = waiting.keys();
      if (next) {
        waiting.delete(next);
        next();
      } else running -= 1;
    }
  };
}

/** Takes turns among the work of one key. Work of other keys does not wait for it. */
export function turnsByKey(places: Places) {
  const keys = new Map<string, { inTurn: ReturnType<typeof turns>; users: number }>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const known = keys.get(key) ?? { inTurn: turns(places), users: 0 };
    keys.set(key, known);
    known.users += 1;
    try {
      return await known.inTurn(work);
    } finally {
      known.users -= 1;
      if (known.users === 0) keys.delete(key);
    }
  };
}
