import type { Command } from "@commander-js/extra-typings";
import type { Config, Setting } from "../app/config.ts";

/** Adds one command, or a group of commands, to the program. */
export type AddCommand = (program: Command, context: Context) => void;

export interface Outcome {
  /** The object that `--json` prints. Undefined when the command has printed its own. */
  json: Readonly<Record<string, unknown>> | undefined;
  /** The text that is printed without `--json`. */
  lines: readonly string[];
  exitCode?: number;
}

export interface Context {
  /** True with `--json`: standard output then carries JSON only. */
  readonly json: boolean;
  /** Turns a function that returns an outcome into a commander action. */
  readonly action: <Args extends unknown[]>(
    act: (...args: Args) => Promise<Outcome>,
  ) => (...args: Args) => Promise<void>;
  /**
   * Reads the configuration on first use, because `--help` needs none and doctor reports a broken one.
   * `without` names a setting to treat as unset, for a command that does not need its value.
   */
  readonly config: (without?: Setting) => Config;
  /** A warning about unknown names in `.env`, if there are any. */
  readonly noteOnSettings: () => string | undefined;
  /** Writes a line to standard output at once, for commands that report while they run. */
  readonly print: (line: string) => void;
  /** Writes a line for people to standard error. */
  readonly say: (line: string) => void;
  readonly stderr: Sink;
  /** Reads the password of `--password-stdin`. */
  readonly password: () => Promise<string>;
  /** Resolves when the user at the terminal has typed `expected`, and rejects otherwise. */
  readonly confirm: (question: string, expected: string) => Promise<void>;
}

export interface Sink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}
