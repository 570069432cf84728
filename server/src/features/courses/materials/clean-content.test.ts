import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanInProcess } from "./clean-content.ts";

test("Markdown that takes minutes to parse is given up, and the service works meanwhile", async () => {
  const quotes = `${">".repeat(199_999)}]`;
  let ticks = 0;
  const ticker = setInterval(() => (ticks += 1), 10);
  const cleaned = await cleanInProcess(quotes, { msMax: 1_000 });
  clearInterval(ticker);
  assert.equal(cleaned, undefined);
  // A service that does not work meanwhile has none.
  assert.ok(ticks > 2, `${ticks}`);
});

test("Markdown that is nested too deeply for the stack is given up", async () => {
  assert.ok((await cleanInProcess(`${"> ".repeat(12_000)}<b>`)) === undefined);
});

test("Markdown that needs too much memory is given up, and the service works on", async () => {
  const brackets = `${"[".repeat(60_000)}<b>`;
  assert.ok(await cleanInProcess(brackets, { msMax: 60_000 }));
  assert.equal(await cleanInProcess(brackets, { msMax: 60_000, heapMiBMax: 20 }), undefined);
});

test("ten pages with a tag are cleaned", async () => {
  const page = "## Week\n\nRead *John 3* and [this](https://example.org).\n\n- [ ] done\n\n".repeat(
    40,
  );
  const pages = page.repeat(10).trimEnd();
  assert.equal(await cleanInProcess(`${pages}<br>`), `${pages}\n`);
});
