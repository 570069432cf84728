import assert from "node:assert/strict";
import { test } from "node:test";
import { IdleConnections } from "./connections.ts";
import { Sessions } from "./sessions.ts";

class FakeConnection {
  isReusable = true;
  isDestroyed = false;
  destroy(): void {
    this.isDestroyed = true;
  }
}

test("above the limit, the connection that was idle for longest is closed", () => {
  const idle = new IdleConnections<FakeConnection>(3);
  const made = ["a", "b", "a", "c"].map((key) => ({ key, connection: new FakeConnection() }));
  for (const { connection, key } of made) idle.keep(key, connection);
  assert.deepEqual(
    made.map(({ connection }) => connection.isDestroyed),
    [true, false, false, false],
  );
  assert.equal(idle.size, 3);
  assert.equal(idle.take("a"), made[2]?.connection);
  assert.equal(idle.take("a"), undefined);
  idle.closeAll();
  assert.ok(made.every(({ connection }, index) => connection.isDestroyed === (index !== 2)));
  assert.equal(idle.size, 0);
});

test("a connection that cannot be reused is closed, and the next one is taken", () => {
  const idle = new IdleConnections<FakeConnection>(3);
  const [fresh, stale] = [new FakeConnection(), new FakeConnection()];
  idle.keep("a", fresh);
  idle.keep("a", stale);
  stale.isReusable = false;
  assert.equal(idle.take("a"), fresh);
  assert.deepEqual([stale.isDestroyed, fresh.isDestroyed, idle.size], [true, false, 0]);
});

const LONG_MS = 60_000;

test("above the limit, the session that was stored first is dropped", () => {
  const sessions = new Sessions(2, LONG_MS);
  const session = { ticket: Buffer.from("s"), verifiedAt: performance.now() };
  for (const key of ["a", "b", "a", "c"]) sessions.set(key, session);
  assert.deepEqual(
    ["a", "b", "c"].map((key) => sessions.get(key)),
    [session, undefined, session],
  );
});

test("a session expires with the verification of its certificate", () => {
  const sessions = new Sessions(2, LONG_MS);
  const isKept = (msAgo: number) => {
    sessions.set("a", { ticket: Buffer.from("s"), verifiedAt: performance.now() - msAgo });
    return sessions.get("a") !== undefined;
  };
  assert.deepEqual([isKept(0), isKept(LONG_MS - 1_000), isKept(LONG_MS)], [true, true, false]);
});
