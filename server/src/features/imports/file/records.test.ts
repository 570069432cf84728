import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { limits } from "../../../base/limits.ts";
import { readRecords, UnreadableFile } from "./records.ts";

async function recordsIn(text: string): Promise<string[][]> {
  const content = gzipSync(text);
  const chunks = async function* () {
    yield content;
  };
  const records: string[][] = [];
  for await (const record of readRecords(chunks, { delimiter: ",", encoding: "utf-8" }))
    records.push(record);
  return records;
}

const max = limits.importColumnsMax;

test("a row with too many cells has one more than the maximum", async () => {
  const row = (cells: number) => Array.from({ length: cells }, (_, at) => `C${at}`).join(",");
  const records = await recordsIn(
    ["Name,Job", row(max), row(max + 1), row(1_000), "Ana,x"].join("\n"),
  );
  assert.deepEqual(
    records.map(({ length }) => length),
    [2, max, max + 1, max + 1, 2],
  );
  assert.deepEqual(records[1]?.at(-1), `C${max - 1}`);
});

test("a row that begins with commas without end is not read to its end", async () => {
  const commas = ",".repeat(20_000_000);
  for (const [text, line] of [
    [commas, 1],
    [`Name,Job\nAna,x\n${commas}`, 3],
  ] as const)
    await assert.rejects(recordsIn(text), (error) => {
      assert.ok(error instanceof UnreadableFile);
      assert.match(
        error.message,
        new RegExp(`more than ${max} cells, at or before line ${line}\\.`),
      );
      return true;
    });
});
