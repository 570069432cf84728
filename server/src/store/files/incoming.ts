import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { tooLarge } from "../../base/errors.ts";
import { StorageFailed } from "./file-store.ts";

export interface IncomingFile {
  readonly path: string;
  readonly bytes: number;
  /** Text has no NUL bytes. */
  readonly hasNul: boolean;
}

/** Writes a body to the disk while it arrives. Throws 413 as soon as it is too large. */
export async function receive(
  body: unknown,
  path: string,
  bytesMax: number,
): Promise<IncomingFile> {
  let bytes = 0;
  let hasNul = false;
  async function* counted(source: Readable): AsyncGenerator<Buffer> {
    // The request is not destroyed, because the client still has to read the 413.
    for await (const piece of source.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      hasNul ||= piece.includes(0);
      yield piece;
    }
  }
  const source = body instanceof Readable ? body : Readable.from([]);
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  try {
    await pipeline(counted(source), file);
  } catch (error) {
    throw isOfDisk(error) ? new StorageFailed(error) : error;
  }
  return { path, bytes, hasNul };
}

/** Errors of the file name a system call and a path. Those of the connection have no path. */
const isOfDisk = (error: unknown): boolean => {
  const { path, syscall } = error as NodeJS.ErrnoException;
  return path !== undefined || syscall === "write" || syscall === "fsync";
};
