import assert from "node:assert/strict";
import { test } from "node:test";
import { encodingFor } from "./encoding.ts";

for (const [accepted, encoding] of [
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["BR", "br"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br; q=0.000,gzip;Q=0", undefined],
  ["identity", undefined],
  ["brotli, xgzip", undefined],
  ["", undefined],
  [undefined, undefined],
] as const)
  test(`${accepted} is answered with ${encoding}`, () =>
    assert.equal(encodingFor(accepted), encoding));
