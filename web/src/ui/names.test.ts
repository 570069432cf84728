import assert from "node:assert/strict";
import { test } from "node:test";
import { initials, isolated } from "./names.ts";

test("a face has the first letters of the first and of the last name, whatever signs surround them", () => {
  for (const [name, expected] of [
    ["Ana Beatriz Oliveira", "AO"],
    ["Madonna", "M"],
    ["(bia) [costa]", "BC"],
    ["<script>alert(1)</script>", "S"],
    ["\u0301A\u0327na Z\u0337\u0327", "AZ"],
    ["e\u0301lia", "É"],
    ["👨‍👩‍👧‍👦 Família", "F"],
    ["👨‍👩‍👧‍👦 👩🏽‍🚀", "👨‍👩‍👧‍👦"],
    ["محمد السلام", "ما"],
    ["李小龍", "李"],
    [" ", ""],
  ] as const)
    assert.equal(initials(name), expected);
});

test("a name that is written to the left is isolated, and no other name is changed", () => {
  assert.equal(isolated("Ana <b>"), "Ana <b>");
  assert.equal(isolated("محمد"), "\u2068محمد\u2069");
  assert.equal(isolated("\u202eana"), "\u2068\u202eana\u2069");
});
