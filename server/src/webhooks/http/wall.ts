import { SendFailure, type Stage } from "./failure.ts";

/**
 * The one time limit of an attempt, over whatever stage it is in. A stage is abandoned when the limit passes; nothing
 * that the receiver does in between moves it.
 */
export class Wall {
  readonly ms: number;
  readonly #timer: NodeJS.Timeout;
  #passed = false;
  #onPassed: (() => void) | undefined;

  constructor(ms: number) {
    this.ms = ms;
    // Timers run before what the network has brought. A process that was stopped for a while would blame the receiver
    // for an answer that lies there unread: so that is read first.
    this.#timer = setTimeout(() => {
      setImmediate(() => {
        this.#passed = true;
        this.#onPassed?.();
      });
    }, ms);
  }

  /** `start` settles the stage and answers how to abandon it. */
  during<T>(
    stage: Stage,
    start: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () =>
        reject(new SendFailure("timeout", `${stage}: not over within ${this.ms} ms`));
      if (this.#passed) return late();
      let settled = false;
      const settle = () => {
        settled = true;
        this.#onPassed = undefined;
      };
      const abandon = start(
        (value) => {
          settle();
          resolve(value);
        },
        (error) => {
          settle();
          reject(error);
        },
      );
      if (settled) return;
      this.#onPassed = () => {
        this.#onPassed = undefined;
        abandon();
        late();
      };
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#onPassed = undefined;
  }
}
