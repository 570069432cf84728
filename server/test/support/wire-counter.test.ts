import assert from "node:assert/strict";
import { test } from "node:test";
import { Messages } from "./wire-counter.ts";

test("messages are found however their bytes are split", () => {
  const startup = [0, 0, 0, 8, 0, 3, 0, 0];
  const execute = ["E".charCodeAt(0), 0, 0, 0, 9, 0, 0, 0, 0, 0];
  const sync = ["S".charCodeAt(0), 0, 0, 0, 4];
  const bytes = Buffer.from([...startup, ...execute, ...sync]);
  for (const size of [1, 3, 7, bytes.length]) {
    const messages = new Messages({ hasStartup: true });
    const types: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      types.push(...messages.typesIn(bytes.subarray(at, at + size)));
    assert.deepEqual(types, ["", "E", "S"]);
  }
});
