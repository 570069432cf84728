import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../base/ids.ts";
import { type Db, queryable } from "./db.ts";
import { Directory } from "./directory.ts";

/** A home whose answers the test gives. */
function homeOf(answers: readonly Promise<number>[]): Db {
  const left = [...answers];
  const home = queryable(async () => [{ server: await left.shift() }] as never);
  return home as Db;
}

test("while the home is away, its last answer counts for all who wait for the same look-up", async (context) => {
  const now = context.mock.method(performance, "now", () => 0);
  const away = Promise.withResolvers<number>();
  const directory = new Directory(homeOf([Promise.resolve(2), away.promise]));
  const accountId = newId();
  assert.equal(await directory.serverOf(accountId), 2);
  now.mock.mockImplementation(() => 3_000);
  const waiting = [directory.serverOf(accountId), directory.serverOf(accountId)];
  away.reject(new Error("The home is away."));
  assert.deepEqual(await Promise.all(waiting), [2, 2]);
});

test("an account that the node has never served is looked up again after the home was away", async () => {
  const directory = new Directory(
    homeOf([Promise.reject(new Error("The home is away.")), Promise.resolve(2)]),
  );
  const accountId = newId();
  await assert.rejects(directory.serverOf(accountId));
  assert.equal(await directory.serverOf(accountId), 2);
});
