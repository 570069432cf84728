import type { TestContext } from "node:test";

/** The longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;

export interface HeldTimers {
  /** How many have been started, those that were cleared included. */
  readonly started: number;
  /** How many wait. */
  readonly waiting: number;
  /** Ends the time of all that wait. */
  end(): void;
}

/**
 * Holds the timers of exactly this length until the test ends them. All others are real, because the service of other test files
 * runs in the same process. A time limit in a test is therefore no race against the machine.
 */
export function holdTimers(context: TestContext, ms: number): HeldTimers {
  const { clearTimeout: clear, setTimeout: start } = globalThis;
  const waiting = new Map<unknown, () => void>();
  let started = 0;
  context.mock.method(globalThis, "setTimeout", ((
    act: (...given: unknown[]) => void,
    delay?: number,
    ...given: unknown[]
  ) => {
    if (delay !== ms) return start(act, delay, ...given);
    const timer = start(() => undefined, NEVER_MS);
    waiting.set(timer.unref(), () => act(...given));
    started += 1;
    return timer;
  }) as typeof setTimeout);
  context.mock.method(globalThis, "clearTimeout", ((timer) => {
    waiting.delete(timer);
    clear(timer);
  }) as typeof clearTimeout);
  return {
    get started() {
      return started;
    },
    get waiting() {
      return waiting.size;
    },
    end() {
      const ended = [...waiting];
      waiting.clear();
      for (const [timer, act] of ended) {
        clear(timer as NodeJS.Timeout);
        act();
      }
    },
  };
}
