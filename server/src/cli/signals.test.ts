import assert from "node:assert/strict";
import { test } from "node:test";
import { Signals } from "./signals.ts";

const settled = async (promise: Promise<string>) => Promise.race([promise, Promise.resolve()]);

test("two signals of one Ctrl-C count once, and the next signal stops the service at once", async (context) => {
  context.mock.timers.enable({ apis: ["Date"] });
  const signals = new Signals();
  context.after(() => signals.end());
  assert.equal(await settled(signals.first), undefined);
  process.emit("SIGINT", "SIGINT");
  assert.equal(await settled(signals.first), "SIGINT");
  context.mock.timers.tick(300);
  process.emit("SIGINT", "SIGINT");
  assert.equal(await settled(signals.second), undefined);
  context.mock.timers.tick(1);
  process.emit("SIGTERM", "SIGTERM");
  assert.equal(await settled(signals.second), "SIGTERM");
});

test("a closed terminal stops the service, and later signals are ignored", async () => {
  const before = process.listenerCount("SIGHUP");
  const signals = new Signals();
  process.emit("SIGHUP", "SIGHUP");
  assert.equal(await settled(signals.first), "SIGHUP");
  signals.end();
  assert.equal(process.listenerCount("SIGHUP"), before);
});
