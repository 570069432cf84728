import { passwordMistake } from "../access/passwords.ts";
import { CommandError } from "./command.ts";

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
  const first = await ask("Password: ");
  if (first !== (await ask("The same again: ")))
    throw new CommandError("invalid-password", "The two passwords differ.");
  return first;
}

const ENTER = /[\r\n]/;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ERASE = /[\b\u007f]/;
const KILL_LINE = "\u0015";

/** One line from the terminal. In raw mode the terminal shows nothing, and leaves the editing to us. */
function ask(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  // Before the prompt: whoever is quick to answer must not see it either.
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  stderr.write(prompt);
  return new Promise((resolve, reject) => {
    let line: string[] = [];
    const end = (act: () => void) => {
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      act();
    };
    const onData = (text: string) => {
      for (const key of text) {
        if (ENTER.test(key)) return end(() => resolve(line.join("")));
        if (key === CTRL_C || key === CTRL_D)
          return end(() => reject(new CommandError("interrupted", "No password was given.", 130)));
        if (key === KILL_LINE) line = [];
        else if (ERASE.test(key)) line.pop();
        else line.push(key);
      }
    };
    stdin.on("data", onData);
  });
}
