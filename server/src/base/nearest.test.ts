import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

const names = ["PORT", "HOST", "METRICS_PORT", "DEMO", "--name", "--json"];

test("a letter left out, added, mistaken or in its neighbour's place is seen through", () => {
  for (const [word, meant] of [
    ["METRIC_PORT", "METRICS_PORT"],
    ["METRRICS_PORT", "METRICS_PORT"],
    ["PROT", "PORT"],
    ["DENO", "DEMO"],
    ["--nmae", "--name"],
    ["MERTICS_POTR", "METRICS_PORT"],
  ] as const)
    assert.equal(nearest(word, names)[0], meant, word);
});

test("a word that resembles no name gets no suggestion", () => {
  for (const word of ["", "SMTP", "POSTGRES_PASSWORD", "--colour", "TZ"])
    assert.deepEqual(nearest(word, names), [], word);
});
