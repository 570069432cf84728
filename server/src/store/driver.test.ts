import assert from "node:assert/strict";
import { test } from "node:test";
import "./driver.ts";

interface Queue<T> {
  push(one: T): void;
  shift(): T | undefined;
  remove(one: T): T | null;
  readonly length: number;
}

test("a queue of the driver's that is never empty keeps no more than what is in it", async () => {
  const file = new URL("queue.js", import.meta.resolve("postgres"));
  const { default: queueOf } = (await import(file.href)) as {
    default: <T>(initial: T[]) => Queue<T>;
  };
  let looksThrough = 0;
  class Watched extends Array<number> {
    override indexOf(one: number): number {
      looksThrough = this.length;
      return super.indexOf(one);
    }
  }
  const queue = queueOf(Watched.of(1, 2, 3));
  for (let one = 4; one < 10_000; one += 1) {
    queue.push(one);
    assert.equal(queue.shift(), one - 3);
  }
  assert.equal(queue.length, 3);
  assert.equal(queue.remove(9_998), 9_998);
  assert.ok(looksThrough <= 6, `It looks through ${looksThrough}.`);
  assert.deepEqual([queue.shift(), queue.shift(), queue.shift()], [9_997, 9_999, undefined]);
});
