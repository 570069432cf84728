import { CommandError } from "./failure.ts";
import type { Input } from "./password.ts";

/** Asks the user at the terminal to type `expected`. Rejects for any other answer, and without a terminal. */
export async function confirm(stdin: Input, ask: () => void, expected: string): Promise<void> {
  if (stdin.isTTY !== true)
    throw new CommandError(
      "not-confirmed",
      "This command needs confirmation at a terminal. In a script, add --yes.",
    );
  ask();
  if ((await lineOf(stdin)).trim() !== expected)
    throw new CommandError("not-confirmed", "Not confirmed. Nothing was changed.");
}

async function lineOf(stdin: Input): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0] ?? "";
}
