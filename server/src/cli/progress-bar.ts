import type { Progress } from "../app/seed.ts";

const WIDTH = 30;
const STEPS = 10;

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Draws a bar at a terminal, and otherwise prints a line per tenth. */
export function progressBar(stream: Stream): (rowsTotal: number) => Progress {
  return (rowsTotal) => {
    const startedAt = performance.now();
    const seconds = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
    const total = rowsTotal.toLocaleString("en");
    let done = 0;
    let printedStep = 0;

    const draw = () => {
      const filled = Math.floor((done / rowsTotal) * WIDTH);
      const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
      stream.write(
        `\r${bar} ${done.toLocaleString("en")} of ${total} people and meetings, ${seconds()} `,
      );
    };
    const printLine = () => {
      const step = Math.floor((done / rowsTotal) * STEPS);
      if (step === printedStep) return;
      printedStep = step;
      stream.write(`${done.toLocaleString("en")} of ${total} people and meetings, ${seconds()}\n`);
    };
    return {
      copied(rows) {
        done += rows;
        if (stream.isTTY) draw();
        else printLine();
      },
      tidying() {
        if (stream.isTTY) stream.write("\n");
        if (rowsTotal > 10_000) stream.write("Collecting statistics for the query planner …\n");
      },
    };
  };
}
