import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE } from "../base/clock.ts";
import { observe } from "../base/observe.ts";
import { watchOutages } from "./outages.ts";

test("the notes say which servers are away and what that stops", () => {
  const servers = [{ isAway: false }, { isAway: true }];
  const { notes, stop } = watchOutages(servers);
  assert.deepEqual(notes(), ["Server 2 is away. Its accounts get 503."]);
  servers[0] = { isAway: true };
  assert.match(notes()[0] ?? "", /^Server 1, the home, is away\..* log-ins/);
  servers.splice(0, 2, { isAway: false }, { isAway: false });
  assert.deepEqual(notes(), []);
  stop();
});

test("a full disk is named until no change has failed for a minute", (context) => {
  const { notes, stop } = watchOutages([]);
  const failed = (code: string, more: object = {}) =>
    Object.assign(new Error("no space left"), { code, ...more });
  observe({ kind: "database-lost", error: failed("08006") });
  assert.deepEqual(notes(), []);
  observe({ kind: "database-lost", error: failed("53100", { server: 2 }) });
  observe({ kind: "file-storage-failed", error: failed("ENOSPC") });
  assert.match(
    notes().join(" "),
    /The disk of server 2 is full\..*The disk of the files is full\./,
  );
  const now = performance.now.bind(performance);
  context.mock.method(performance, "now", () => now() + MINUTE);
  assert.deepEqual(notes(), []);
  stop();
});
