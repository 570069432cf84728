import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import type { ServiceRole } from "../../src/app/service.ts";

const script = fileURLToPath(new URL("../../bin/vestry.ts", import.meta.url));
const dayAhead = new URL("day-ahead.mjs", import.meta.url).href;

/** Runs `vestry serve` in its own process, which can be killed and started again. */
export class Node {
  readonly role: ServiceRole;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #isDayAhead: boolean;
  #process: ChildProcess | undefined;

  constructor(role: ServiceRole, settings: Readonly<Record<string, string>>, isDayAhead = false) {
    this.role = role;
    this.#settings = settings;
    this.#isDayAhead = isDayAhead;
  }

  start(): void {
    const clock = this.#isDayAhead ? ["--import", dayAhead] : [];
    const child = spawn(process.execPath, [...clock, script, "serve", "--role", this.role], {
      stdio: "ignore",
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...this.#settings },
    });
    this.#process = child;
    // A start without a database exits, so it is repeated, as a supervisor does.
    child.once("exit", () => {
      if (this.#process === child) setTimeout(() => this.#process === child && this.start(), 500);
    });
  }

  kill(): void {
    this.#process?.kill("SIGKILL");
  }

  /** Suspends the process for a while. */
  async freeze(ms: number): Promise<void> {
    const frozen = this.#process;
    frozen?.kill("SIGSTOP");
    await wait(ms);
    frozen?.kill("SIGCONT");
  }

  /** Stops the process for good. */
  end(): void {
    const child = this.#process;
    this.#process = undefined;
    child?.kill("SIGKILL");
  }

  async isReady(url: string): Promise<void> {
    for (;;) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      await wait(100);
    }
  }
}
