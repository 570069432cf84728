import { randomFillSync } from "node:crypto";
import { now } from "./clock.ts";

const pool = Buffer.alloc(10 * 256);
let used = pool.length;
let lastMillisecond = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562): 48 bits of time, then a 12-bit counter, then 62 random bits.
 *
 * The ids of one process always increase, even within a millisecond and when the clock steps back. Rows created together
 * are neighbours in the index, and a list by id is a list by creation.
 */
export function newId(): string {
  const random = tenBytes();
  const at = now();
  if (at > lastMillisecond) {
    lastMillisecond = at;
    counter = pool.readUInt16BE(random) & 0x7ff;
  } else if (++counter > 0xfff) {
    lastMillisecond += 1;
    counter = 0;
  }
  return idOf(lastMillisecond, counter, random);
}

/** Returns the position of ten unused bytes in the pool. */
function tenBytes(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 10;
  return used - 10;
}

function idOf(millisecond: number, sequence: number, random: number): string {
  const time = millisecond.toString(16).padStart(12, "0");
  const version = (0x7000 | sequence).toString(16);
  const variant = (0x8000 | (pool.readUInt16BE(random) & 0x3fff)).toString(16);
  const rest = pool.toString("hex", random + 2, random + 8);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are opaque to callers. A malformed id is an id that does not exist. */
export const isId = (text: string): boolean => UUID.test(text);

/** The nil id (RFC 9562). No row has it, and it sorts before all others. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";
