import { passwordMistake } from "../access/passwords.ts";
import { CommandError } from "./command.ts";
import { readUnseen } from "./unseen.ts";

/**
 * A password from standard input: the whole of it, without the line break at its end; at a terminal asked for twice
 * and not shown. Never from the arguments, which every user of the machine can read in the list of processes.
 */
export async function readPassword(stdin: Input): Promise<string> {
  const password = stdin.isTTY === true ? await askTwice() : await readAll(stdin);
  const mistake = passwordMistake(password);
  if (mistake !== undefined)
    throw new CommandError("invalid-password", `The password ${mistake.replace(/^M/, "m")}`);
  return password;
}

const BYTES_MAX = 64 * 1_024;

/** `process.stdin`, or whatever stands in for it. */
export type Input = AsyncIterable<Buffer | string> & { isTTY?: boolean };

async function readAll(stdin: Input): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new CommandError("invalid-password", "That is no password.");
    chunks.push(Buffer.from(chunk));
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    return text.replace(/\r?\n$/, "");
  } catch {
    throw new CommandError("invalid-password", "The password must be text in UTF-8.");
  }
}

async function askTwice(): Promise<string> {
  const first = await readUnseen("Password: ");
  if (first !== (await readUnseen("The same again: ")))
    throw new CommandError("invalid-password", "The two passwords differ.");
  return first;
}
