import { CommandError } from "./failure.ts";

const ENTER = /[\r\n]/;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ERASE = /[\b\u007f]/;
const KILL_LINE = "\u0015";

/**
 * Reads one line from the terminal without showing it. The terminal is in raw mode, so this function does the editing.
 * Rejects as `interrupted` on Ctrl-C or when the signal aborts.
 */
export function readHiddenLine(prompt: string, signal?: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  // Raw mode comes before the prompt, so that early input is hidden, too.
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  stderr.write(prompt);
  return new Promise((resolve, reject) => {
    let line: string[] = [];
    const end = (act: () => void) => {
      stdin.off("data", onData);
      signal?.removeEventListener("abort", onAbort);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
      act();
    };
    const interrupted = () =>
      reject(new CommandError("interrupted", "Interrupted. Nothing was entered.", 130));
    const onAbort = () => end(interrupted);
    const onData = (text: string) => {
      for (const key of text) {
        if (ENTER.test(key)) return end(() => resolve(line.join("")));
        if (key === CTRL_C || key === CTRL_D) return end(interrupted);
        if (key === KILL_LINE) line = [];
        else if (ERASE.test(key)) line.pop();
        else line.push(key);
      }
    };
    stdin.on("data", onData);
    signal?.addEventListener("abort", onAbort);
  });
}
