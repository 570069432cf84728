import { once } from "node:events";
import type { Tx } from "../store/db.ts";

export type Value = string | number | boolean | null | object;

/** Large enough that the driver's part vanishes, small enough that a million rows never lie in memory. */
const CHUNK_CHARACTERS = 256 * 1_024;

/** Streams rows into a table by COPY, as fast as the database takes them. */
export async function copy(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
  copied: (rows: number) => void = () => undefined,
): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const stream = await tx.unsafe(`copy ${table} (${names}) from stdin`).writable();
  // An error between two waits must not end the process; it is thrown where we wait.
  let failure: Error | undefined;
  stream.on("error", (error: Error) => {
    failure ??= error;
  });

  let chunk = "";
  let count = 0;
  const flush = async () => {
    if (failure) throw failure;
    if (!stream.write(chunk)) await once(stream, "drain");
    copied(count);
    [chunk, count] = ["", 0];
  };
  for (const row of rows) {
    chunk += `${row.map(asText).join("\t")}\n`;
    count += 1;
    if (chunk.length >= CHUNK_CHARACTERS) await flush();
  }
  if (count > 0) await flush();
  const finished = once(stream, "finish");
  finished.catch(() => undefined);
  stream.end();
  // The driver lets go of the stream when the rows end, and what the server refuses after that is told to nobody. The
  // transaction's next statement fails then, which is how we hear of it.
  await Promise.race([finished, tx`select 1`]);
}

const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

function asText(value: Value): string {
  if (value === null) return "\\N";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(special, (found) => escapes[found] ?? found);
}
