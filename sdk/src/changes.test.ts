import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { goesWith, Vestry, VestryError } from "./index.ts";

/** A client whose requests get these responses, one after the other. An error stands for a service that is away. */
function client(...responses: (Response | Error)[]) {
  const sent: string[] = [];
  const v = new Vestry({
    url: "https://vestry.example",
    token: "t",
    fetch: async (url) => {
      assert.ok(typeof url === "string");
      sent.push(decodeURIComponent(new URL(url).search));
      const response = responses.shift();
      if (response instanceof Error) throw response;
      return response ?? assert.fail("an unexpected request");
    },
  });
  return { v, sent };
}

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const row = (id: string, action = "updated") => ({
  type: "changes",
  id,
  attributes: {
    "action": action,
    "resource-type": "people",
    "resource-id": "ana",
    "merged-into": null,
    "occurred-at": "2026-03-01T09:30:00.000Z",
    "changed": ["occupation"],
    "client": null,
    "request-id": null,
  },
});
const page = (next: string, isComplete: boolean, ...rows: object[]) =>
  json({
    data: rows,
    links: { next: `/v1/changes?page%5Bafter%5D=${next}` },
    meta: { "is-complete": isComplete, "behind": isComplete ? 0 : 7 },
  });
const away = () => new TypeError("fetch failed");

test("the changes end at the present, and each has its position", async () => {
  const { sent, v } = client(page("b", false, row("a"), row("b", "left")), page("c", true));
  const found = [];
  for await (const one of v.changes("start", { types: ["people", "cells"], actions: ["left"] }))
    found.push([one.position, one.action, one.type, one.id, one.changed]);
  assert.deepEqual(found, [
    ["a", "updated", "people", "ana", ["occupation"]],
    ["b", "left", "people", "ana", ["occupation"]],
  ]);
  const query = "page[size]=1000&filter[types]=people,cells&filter[action]=left";
  assert.deepEqual(sent, [`?page[after]=start&${query}`, `?page[after]=b&${query}`]);
});

test("with a pause, the changes go on, also after the service was away", async () => {
  const stop = new AbortController();
  const { sent, v } = client(
    page("b", true, row("a")),
    away(),
    json({ errors: [{ status: "503", code: "unavailable", detail: "Away." }] }, 503),
    page("d", true, row("c")),
  );
  const found: string[] = [];
  const follow = async () => {
    for await (const { position } of v.changes("start", { pauseMs: 1, signal: stop.signal }))
      if (found.push(position) === 2) stop.abort();
  };
  await assert.rejects(follow(), { name: "AbortError" });
  assert.deepEqual(found, ["a", "c"]);
  assert.deepEqual(
    sent.map((query) => query.slice(0, 15)),
    ["?page[after]=st", "?page[after]=b&", "?page[after]=b&", "?page[after]=b&"],
  );
});

test("a position that no longer holds is an error, and so is a service that is away without a pause", async () => {
  const gone = json({ errors: [{ status: "410", code: "reach-changed", detail: "Gone." }] }, 410);
  for (const [response, options, code] of [
    [gone, { pauseMs: 1 }, "reach-changed"],
    [away(), {}, "unreachable"],
  ] as const) {
    const { v } = client(response);
    await assert.rejects(
      v.changes("start", options).next(),
      (error) => error instanceof VestryError && error.code === code,
    );
  }
});

test("a page says how many rows wait", async () => {
  const { v } = client(page("b", false, row("a")));
  const { behind, isComplete, items, position } = await v.changePage("start");
  assert.deepEqual([behind, isComplete, items.length, position], [7, false, 1, "b"]);
});

test("docs/sync.md has the table of what goes with what", async () => {
  const text = await readFile(new URL("../../docs/sync.md", import.meta.url), "utf8");
  const [, table = ""] = text.split("| Resource | Goes with | Filter |");
  const said = [...table.matchAll(/^\| (`.+`) \| `(.+)` \| `(.+)` \|$/gm)]
    .flatMap(([, types = "", of = "", by = ""]) =>
      types.split(", ").map((type) => [type.replaceAll("`", ""), of, by].join(" ")),
    )
    .slice(0, 4);
  const known = Object.entries(goesWith).flatMap(([of, all]) =>
    all.map(({ by, type }) => [type, of, by].join(" ")),
  );
  assert.deepEqual(said, known);
});
