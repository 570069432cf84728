import assert from "node:assert/strict";

/** A random number generator with a seed (mulberry32). */
export class Die {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to 1. */
  readonly throw = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  falls(probability: number): boolean {
    return this.throw() < probability;
  }

  /** An integer from 0 up to `count`. */
  below(count: number): number {
    return Math.floor(this.throw() * count);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] ?? assert.fail("nothing to pick from");
  }

  /** Picks each value as often as its weight says. */
  weigh<T extends { readonly weight: number }>(from: readonly T[]): T {
    let left = this.throw() * from.reduce((sum, { weight }) => sum + weight, 0);
    return (
      from.find(({ weight }) => (left -= weight) < 0) ?? assert.fail("nothing weighs anything")
    );
  }
}
