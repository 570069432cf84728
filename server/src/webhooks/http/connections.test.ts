import assert from "node:assert/strict";
import { Duplex } from "node:stream";
import { test } from "node:test";
import type { TLSSocket } from "node:tls";
import { Connection, IdleConnections, Sessions } from "./connections.ts";

/** As far as a connection that waits needs a socket. */
function newConnection(): { connection: Connection; socket: Duplex } {
  const socket = new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() });
  return { connection: new Connection(socket as unknown as TLSSocket), socket };
}

const LONG_MS = 60_000;

test("so many connections wait; for one more, the one that has waited for longest is closed", () => {
  const idle = new IdleConnections(3);
  const made = ["a", "b", "a", "c"].map((key) => ({ key, ...newConnection() }));
  for (const { connection, key } of made) idle.keep(key, connection, LONG_MS);
  assert.deepEqual(
    made.map(({ socket }) => socket.destroyed),
    [true, false, false, false],
  );
  assert.equal(idle.size, 3);
  assert.equal(idle.take("a"), made[2]?.connection);
  assert.equal(idle.take("a"), undefined);
  idle.closeAll();
  assert.ok(made.every(({ socket }, index) => socket.destroyed === (index !== 2)));
  assert.equal(idle.size, 0);
});

test("so many sessions are kept; for one more, that of the destination that was given none for longest goes", () => {
  const sessions = new Sessions(2, LONG_MS);
  const session = { session: Buffer.from("s"), verifiedAt: performance.now() };
  for (const key of ["a", "b", "a", "c"]) sessions.set(key, session);
  assert.deepEqual(
    ["a", "b", "c"].map((key) => sessions.get(key)),
    [session, undefined, session],
  );
});

test("a session serves for as long as a certificate that was seen, and no longer", () => {
  const sessions = new Sessions(2, LONG_MS);
  const seen = (msAgo: number) => {
    sessions.set("a", { session: Buffer.from("s"), verifiedAt: performance.now() - msAgo });
    return sessions.get("a") !== undefined;
  };
  assert.deepEqual([seen(0), seen(LONG_MS - 1_000), seen(LONG_MS)], [true, true, false]);
});
