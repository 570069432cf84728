import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { pdfOf, pngOf } from "./sample-files.ts";

test("the table of a PDF leads to its objects", () => {
  const file = pdfOf(["One", "Two"]).toString("latin1");
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  assert.ok(file.startsWith("xref\n0 6\n", table));
  const places = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)];
  assert.equal(places.length, 5);
  for (const [index, [, place]] of places.entries())
    assert.ok(file.startsWith(`${index + 1} 0 obj\n`, Number(place)));
});

test("an image decoder reads a PNG", async () => {
  const file = pngOf({ width: 4, height: 2 }, [
    [0, 0, 0],
    [200, 100, 50],
  ]);
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [4, 2, 3]);
  assert.deepEqual([...data.subarray(0, 3), ...data.subarray(12, 15)], [0, 0, 0, 100, 50, 25]);
});
