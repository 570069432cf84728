import { createHash } from "node:crypto";

/**
 * Repeatable random numbers. A number depends only on the seed and its purpose, and not on the numbers drawn before. The
 * thousandth person is therefore the same on every machine and in every order.
 */
export class Die {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: Seed, type: string, account: number, index: number) {
    this.#a = seed.high ^ numberOf(type);
    this.#b = seed.low ^ Math.imul(account + 1, 0x85ebca6b);
    this.#c = Math.imul(index + 1, 0xc2b2ae35);
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** 32 bits: Chris Doty-Humphrey's sfc32. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 to below `end`. */
  below(end: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability * 0x1_0000_0000;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }
}

export interface Seed {
  high: number;
  low: number;
}

export function seedOf(text: string): Seed {
  const digest = createHash("sha256").update(text).digest();
  return { high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) };
}

const numbers = new Map<string, number>();

/** Each type draws from a stream of its own. */
function numberOf(type: string): number {
  const number = numbers.get(type) ?? seedOf(type).high;
  numbers.set(type, number);
  return number;
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

/** A UUIDv7 of the given moment. Ids rise with `atMs`, so that rows made together lie together in the index. */
export function idFrom(die: Die, atMs: number): string {
  const time = hex(atMs, 12);
  const random = die.next();
  const version = hex(0x7000 | (random & 0xfff), 4);
  const variant = hex(0x8000 | ((random >>> 12) & 0x3fff), 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${hex(die.next(), 8)}${hex(die.next() & 0xffff, 4)}`;
}
