import type { Query } from "./sql.ts";

/**
 * The places of a text where a parameter is an account id: `account_id = $1`, `accounts where id = $1`, and an inserted
 * `account_id`. Other forms, such as arrays and functions, are not examined.
 */
const COMPARED =
  /\baccount_id"?\s*=\s*\$(\d+)|\baccounts\s+(?:\w+\s+)?where\s+(?:\w+\.)?id\s*=\s*\$(\d+)/gi;
const INSERTED = /\binsert\s+into\s+(\w+)\s+(?:as\s+\w+\s+)?\(([^)]*)\)\s*(values|select)\b/gi;
const PARAMETER = /^\s*\$(\d+)(?:::uuid)?(?=\s*$|\s+from\b)/i;

/** When so many texts are known, all are forgotten and read again. */
const TEXTS_MAX = 2_000;
/** A longer text inserts many rows and is hardly ever sent twice. */
const CHARACTERS_MAX = 20_000;

const known = new Map<string, readonly number[]>();

/**
 * Throws if the statement names another account than that of its transaction. With several servers it would miss the rows of
 * that account, or write them to the wrong server.
 */
export function requireAccount({ text, values }: Query, accountId: string): void {
  if (!values || values.length === 0) return;
  for (const place of placesIn(text)) {
    const value = values[place];
    if (value === accountId || typeof value !== "string") continue;
    if (value.toLowerCase() !== accountId.toLowerCase())
      throw new Error(
        `A statement of a transaction of account ${accountId} names ${value}: ${text}`,
      );
  }
}

function placesIn(text: string): readonly number[] {
  const remembered = known.get(text);
  if (remembered) return remembered;
  const places = [...new Set([...comparedIn(text), ...insertedIn(text)])];
  if (text.length > CHARACTERS_MAX) return places;
  if (known.size >= TEXTS_MAX) known.clear();
  known.set(text, places);
  return places;
}

function* comparedIn(text: string): Generator<number> {
  for (const [, one, other] of text.matchAll(COMPARED)) yield Number(one ?? other) - 1;
}

function* insertedIn(text: string): Generator<number> {
  for (const found of text.matchAll(INSERTED)) {
    const [all, table = "", columns = "", source = ""] = found;
    const names = columns.split(",").map((name) => name.trim().replaceAll('"', ""));
    const column = names.indexOf(table.toLowerCase() === "accounts" ? "id" : "account_id");
    if (column < 0) continue;
    const end = found.index + all.length;
    const rows = source.toLowerCase() === "select" ? [listAt(text, end).items] : rowsAt(text, end);
    for (const row of rows) {
      const [, parameter] = PARAMETER.exec(row[column] ?? "") ?? [];
      if (parameter !== undefined) yield Number(parameter) - 1;
    }
  }
}

/** The rows `(…), (…)` that begin here. */
function* rowsAt(text: string, start: number): Generator<readonly string[]> {
  const opening = /\s*,?\s*\(/y;
  opening.lastIndex = start;
  while (opening.test(text)) {
    const { end, items } = listAt(text, opening.lastIndex);
    yield items;
    opening.lastIndex = end + 1;
  }
}

/** The expressions between commas that begin here, up to the parenthesis that closes the list or the end of the text. */
function listAt(text: string, start: number): { items: readonly string[]; end: number } {
  const items: string[] = [];
  const mark = /'[^']*'|"[^"]*"|[(),]/g;
  mark.lastIndex = start;
  let depth = 0;
  let from = start;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [sign] = found;
    if (sign === ")" && depth === 0)
      return { items: [...items, text.slice(from, found.index)], end: found.index };
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (sign !== "," || depth > 0) continue;
    items.push(text.slice(from, found.index));
    from = mark.lastIndex;
  }
  return { items: [...items, text.slice(from)], end: text.length };
}
