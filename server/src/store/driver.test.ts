import assert from "node:assert/strict";
import { after, test } from "node:test";
import { freshDatabase } from "../../test/support/database.ts";
import { connect } from "./db.ts";

const database = await freshDatabase();
after(() => database.close());

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

test("one text with parameters of several types is as many statements, however many others come between", async () => {
  const db = connect(database.url, { max: 1 });
  const ask = async (value: unknown) => {
    const [row] = await db.unsafe("select to_json($1) #>> '{}' as told", [value] as never[], {
      prepare: true,
    });
    return row?.["told"] as unknown;
  };
  const askAll = async () => [await ask(7n), await ask(true), await ask(Buffer.from("a"))];
  const told = await askAll();
  assert.deepEqual(told, ["7", "true", "\\x61"]);
  for (let other = 0; other <= 1_000; other += 1)
    await db.unsafe(`select ${other}`, [], { prepare: true });
  assert.deepEqual(await askAll(), told);
  await db.end();
});
