/** A spreadsheet would run a cell with such a start as a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** A plus sign and digits alone are a number, which calls nothing. */
const TELEPHONE = /^\+\d+$/;
const QUOTED = /[",;\t\r\n]/;
const BYTE_ORDER_MARK = "\uFEFF";

/** Where the comma separates decimals, spreadsheets expect semicolons between cells. */
export const separatorOf = (locale: string): "," | ";" =>
  new Intl.NumberFormat(locale).format(1.5).includes(",") ? ";" : ",";

function cellOf(text: string): string {
  const safe = FORMULA.test(text) && !TELEPHONE.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV file that spreadsheets open by a double click: UTF-8 with a byte order mark, and lines that end as in RFC 4180. */
export const csvOf = (rows: readonly (readonly string[])[], separator: "," | ";"): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(cellOf).join(separator)}\r\n`).join("");
