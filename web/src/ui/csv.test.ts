import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { csvOf, separatorOf } from "./csv.ts";

/** The cells of a file, as RFC 4180 defines them. */
function cellsOf(csv: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  const text = csv.replace("\uFEFF", "");
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === separator || text.startsWith("\r\n", at))) {
      rows.at(-1)?.push(cell);
      cell = "";
      if (letter === "\r") {
        rows.push([]);
        at += 1;
      }
    } else cell += letter;
  }
  return rows.slice(0, -1);
}

const HARMLESS = [
  "Ana Mariana",
  "O'Connor",
  'says "hello", twice',
  '"',
  '""',
  "a;b,c",
  "two\r\nlines",
  "👩‍👩‍👧‍👦 Müller 🇧🇷",
  "محمد بن علي",
  "דָּוִד",
  "<script>alert(1)</script>",
  " = 1",
  "",
  "x".repeat(255),
  // A spreadsheet reads a telephone in the form of E.164 as a number.
  "+351912345678",
  "2026-11-18",
];

const FORMULAS = [
  "=1+1",
  '=HYPERLINK("https://evil.example","x")',
  "+351912345678+1",
  "+1-2",
  "+351 912 345 678",
  "+A1",
  "+",
  "-351912345678",
  "-2+3",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1",
  "=cmd|' /C calc'!A0",
];

describe("CSV file", () => {
  for (const separator of [",", ";"] as const) {
    it(`with "${separator}", every harmless text returns unchanged`, () => {
      const csv = csvOf([["Name"], HARMLESS], separator);
      assert.deepEqual(cellsOf(csv, separator), [["Name"], HARMLESS]);
    });

    it(`with "${separator}", no cell begins a formula`, () => {
      const [row = []] = cellsOf(csvOf([FORMULAS], separator), separator);
      assert.deepEqual(
        row,
        FORMULAS.map((text) => `'${text}`),
      );
    });
  }

  it("begins with a byte order mark and ends its lines with CR LF", () => {
    const bytes = Buffer.from(csvOf([["é", "b"], ["c"]], ","));
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.equal(bytes.subarray(3).toString(), "é,b\r\nc\r\n");
  });

  it("separates as spreadsheets of the language and country expect", () => {
    assert.equal(separatorOf("en-US"), ",");
    assert.equal(separatorOf("en-PT"), ";");
    assert.equal(separatorOf("es-MX"), ",");
    assert.equal(separatorOf("pt-BR"), ";");
    assert.equal(separatorOf("es"), ";");
    assert.equal(separatorOf("de-DE"), ";");
  });
});
