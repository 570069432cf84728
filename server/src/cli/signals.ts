import { now } from "../base/clock.ts";

/**
 * The first signal asks for an orderly end, the second for a quick one.
 *
 * One Ctrl-C may arrive as two signals: from the terminal, which tells every process in front, and once more from the
 * launcher or npm, which pass theirs on. What follows that closely is the same one.
 */
const SAME_MS = 300;

export class Signals {
  readonly first: Promise<string>;
  readonly second: Promise<string>;
  readonly #stop: () => void;

  constructor() {
    const first = Promise.withResolvers<string>();
    const second = Promise.withResolvers<string>();
    let at: number | undefined;
    const heard = (signal: string) => {
      if (at === undefined) {
        at = now();
        first.resolve(signal);
      } else if (now() - at > SAME_MS) second.resolve(signal);
    };
    const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    for (const name of names) process.on(name, heard);
    this.first = first.promise;
    this.second = second.promise;
    this.#stop = () => names.forEach((name) => process.off(name, heard));
  }

  end(): void {
    this.#stop();
  }
}
