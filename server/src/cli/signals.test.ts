import assert from "node:assert/strict";
import { test } from "node:test";
import { Signals } from "./signals.ts";

const settled = async (promise: Promise<string>) => Promise.race([promise, Promise.resolve()]);

test("one Ctrl-C that arrives as two signals is one; the next asks for a quick end, whichever it is", async (context) => {
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

test("a terminal that is closed asks for an end as well; whoever has ended hears nothing more", async () => {
  const before = process.listenerCount("SIGHUP");
  const signals = new Signals();
  process.emit("SIGHUP", "SIGHUP");
  assert.equal(await settled(signals.first), "SIGHUP");
  signals.end();
  assert.equal(process.listenerCount("SIGHUP"), before);
});
