import { ApiError, problem } from "./errors.ts";

interface Places {
  atOnce: number;
  queueMax: number;
  /** The detail of the 503 beyond `queueMax`. */
  busy: string;
}

/** Runs a few pieces of heavy work at a time. A few more wait, and others get 503, so that a flood cannot exhaust the process. */
export function turns({ atOnce, busy, queueMax }: Places) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= queueMax)
        throw new ApiError([problem("unavailable", busy)], { "Retry-After": "2" });
      // A finished task passes its slot to the next one, so `running` stays the same.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
