import { passwordMistake } from "../access/passwords.ts";
import { type Broken, sentenceOf } from "../base/rules.ts";
import { CommandError } from "./failure.ts";
import { readHiddenLine } from "./hidden-input.ts";

/**
 * Reads a password from standard input without the final line break. At a terminal, the user types it twice, unseen.
 * Passwords are never arguments, because every user of the machine can list the arguments of processes.
 */
export async function readPassword(stdin: Input): Promise<string> {
  const password = stdin.isTTY === true ? await askTwice() : await readAll(stdin);
  assertPossible(passwordMistake(password, 0));
  return password;
}

export function assertPossible(mistake: Broken | undefined): void {
  if (mistake !== undefined)
    throw new CommandError(
      "invalid-password",
      `The password ${sentenceOf(mistake).replace(/^M/, "m")}`,
    );
}

const BYTES_MAX = 64 * 1_024;

/** `process.stdin`, or its replacement in a test. */
export type Input = AsyncIterable<Buffer | string> & { isTTY?: boolean };

async function readAll(stdin: Input): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new CommandError("invalid-password", "The password is too long.");
    chunks.push(Buffer.from(chunk));
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    return text.replace(/\r?\n$/, "");
  } catch {
    throw new CommandError("invalid-password", "The password must be UTF-8 text.");
  }
}

async function askTwice(): Promise<string> {
  const first = await readHiddenLine("Password: ");
  if (first !== (await readHiddenLine("Repeat the password: ")))
    throw new CommandError("invalid-password", "The two passwords differ.");
  return first;
}
