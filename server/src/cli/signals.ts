import { now } from "../base/clock.ts";

/**
 * One Ctrl-C may arrive as two signals: one from the terminal, and one forwarded by the launcher or npm. Signals within
 * this time count as one.
 */
const SAME_MS = 300;

/** The first signal asks for an orderly stop, the second for an immediate one. */
export class Signals {
  readonly first: Promise<string>;
  readonly second: Promise<string>;
  readonly #stop: () => void;

  constructor() {
    const first = Promise.withResolvers<string>();
    const second = Promise.withResolvers<string>();
    let at: number | undefined;
    const onSignal = (signal: string) => {
      if (at === undefined) {
        at = now();
        first.resolve(signal);
      } else if (now() - at > SAME_MS) second.resolve(signal);
    };
    const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    for (const name of names) process.on(name, onSignal);
    this.first = first.promise;
    this.second = second.promise;
    this.#stop = () => names.forEach((name) => process.off(name, onSignal));
  }

  end(): void {
    this.#stop();
  }
}
