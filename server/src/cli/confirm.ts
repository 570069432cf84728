import { CommandError } from "./command.ts";
import type { Input } from "./password.ts";

/** Asks at the terminal for what is to be typed; anything else, and nobody being there, is a no. */
export async function confirm(stdin: Input, ask: () => void, expected: string): Promise<void> {
  if (stdin.isTTY !== true)
    throw new CommandError("not-confirmed", "Nobody is at a terminal to confirm it: add --yes.");
  ask();
  if ((await lineOf(stdin)).trim() !== expected)
    throw new CommandError("not-confirmed", "It was not confirmed, and nothing was done.");
}

async function lineOf(stdin: Input): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0] ?? "";
}
