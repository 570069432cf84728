import type { TSchema } from "typebox";
import type { Config, Setting } from "../app/config.ts";

/**
 * A command of `vestry`, as data: what it is called, what it takes, and the one function that does it. Parsing, help,
 * JSON and errors are the same for all and live in run.ts.
 */
export interface Command<Options extends OptionTable = OptionTable> {
  /** As it is typed: `accounts create`. Its first word names its file. */
  name: string;
  /** One sentence, for `--help`. */
  summary: string;
  /** What stands after the name without dashes. */
  argument?: { name: string; description: string };
  options: Options;
  /** What `--json` prints, where it is not one object. */
  json?: string;
  run(values: ValuesOf<Options>, context: Context, argument: string): Promise<Outcome>;
}

/** Keeps the types of the options, so that `run` gets its values by name and type. */
export const command = <const Options extends OptionTable>(of: Command<Options>): Command =>
  of as unknown as Command;

export interface Outcome {
  /** What `--json` prints; undefined when the command has printed its one object itself. */
  json: Readonly<Record<string, unknown>> | undefined;
  /** What is printed otherwise, in sentences. */
  lines: readonly string[];
  exitCode?: number;
}

export interface Context {
  /** `--json` was given: standard output belongs to the one object. */
  readonly json: boolean;
  /**
   * Reads the configuration when it is first asked for, since `--help` needs none and doctor reports a broken one.
   * `without`: a setting that is taken for unset, for a command that does not need what it names.
   */
  readonly config: (without?: Setting) => Config;
  /** A sentence for whoever starts or examines the service, about settings that are none. */
  readonly noteOnSettings: () => string | undefined;
  /** To standard output, at once; for what goes on and has more to tell than its outcome. */
  readonly print: (line: string) => void;
  /** To standard error, for people. */
  readonly say: (line: string) => void;
  readonly stderr: Sink;
  /** The password of `--password-stdin`. */
  readonly password: () => Promise<string>;
  /** Goes on when somebody at the terminal has typed just that. */
  readonly confirm: (question: string, expected: string) => Promise<void>;
}

export interface Sink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export type OptionTable = Readonly<Record<string, Option>>;
export type Option = TextOption | ChoiceOption | NumberOption | FlagOption;

interface Described {
  description: string;
  optional?: boolean;
}

export interface TextOption extends Described {
  kind: "text";
  /** What the interface says about the attribute that the option sets. */
  schema?: TSchema;
}

export interface ChoiceOption<Value extends string = string> extends Described {
  kind: "choice";
  values: readonly Value[];
  default?: Value;
}

export interface NumberOption extends Described {
  kind: "number";
  default: number;
}

export interface FlagOption extends Described {
  kind: "flag";
}

type ValueOf<O extends Option> = O extends { kind: "flag" }
  ? boolean
  : O extends { kind: "number" }
    ? number
    : O extends { kind: "choice"; values: readonly (infer Value)[] }
      ? O extends { optional: true }
        ? Value | undefined
        : Value
      : O extends { optional: true }
        ? string | undefined
        : string;

export type ValuesOf<Options extends OptionTable> = {
  readonly [Name in keyof Options]: ValueOf<Options[Name]>;
};

/** An error whose message is a whole sentence for the operator, with the word that `--json` gives for it. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = 1) {
    super(message);
    this.name = "CommandError";
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** The command line itself is wrong: exit status 2, as shells and other programs have it. */
export const usageError = (message: string) => new CommandError("usage", message, 2);
