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

/** Runs a few pieces of heavy work at a time. A few more wait, and others get 503, so that a flood cannot exhaust the process. */
export function turns({ atOnce, busy, queueMax = Number.POSITIVE_INFINITY, waitMsMax }: Places) {
  let running = 0;
  const waiting = new Set<() => void>();
  const refused = () => new ApiError([problem("unavailable", busy)], { "Retry-After": "2" });

  /** A finished task passes its slot to the next one, so `running` stays the same. */
  const slot = () =>
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
      waiting.add(begin);
    });

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running += 1;
    else {
      if (waiting.size >= queueMax) throw refused();
      await slot();
    }
    try {
      return await work();
    } finally {
      const [next] = waiting;
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
