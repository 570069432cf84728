import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect, type Db } from "../../src/store/db.ts";
import { freshDatabase } from "../support/database.ts";
import {
  deliveryOf,
  happen,
  makeLiveEndpoint,
  observed,
  startTestEngine,
} from "../support/engine.ts";
import { makeChurch } from "../support/make.ts";
import { startReceiver } from "../support/receiver.ts";

const database = await freshDatabase();
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await database.drop();
});
const { db, url } = database;

test("an answer that the driver lost does not stop the engine: it takes other connections", async () => {
  const { id } = await makeChurch(db);
  await makeLiveEndpoint(db, id, { url: receiver.url });
  const own = connect(url, { max: 1, name: "deaf", byIndex: true });
  // As the driver does when connections end in a row: whatever it was asked last it never answers.
  const deaf = new Proxy(own, {
    get: (target, name) =>
      name === "unsafe" || name === "begin"
        ? () => new Promise(() => undefined)
        : Reflect.get(target, name),
  }) as Db;
  const others: Db[] = [];
  const reconnect = () => {
    const other = connect(url, { max: 2, name: "other", byIndex: true });
    others.push(other);
    return other;
  };
  const failed = observed("engine-failed", 1, ({ what }) => what === "claim");
  const finished = observed("attempt-finished");
  const engine = startTestEngine(url, { db: deaf, reconnect, answerMsMax: 200, pollMs: 50 });
  await happen(db, id);
  await failed;
  await finished;
  assert.equal((await deliveryOf(db, id)).status, "delivered");
  assert.equal(others.length, 1);
  await engine.stop();
});
