/** The name that was probably meant: one with at most two slips of the typing hand, or a third of a short name's letters. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  let [found, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const name of names) {
    const slips = slipsBetween(word, name);
    if (slips < least) [found, least] = [name, slips];
  }
  return found !== undefined && least <= Math.min(2, found.length / 3) ? found : undefined;
}

/** Letters left out, added or mistaken, and neighbours that changed places. */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const mistaken = Number(one[i - 1] !== other[j - 1]);
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + mistaken,
        i > 1 && j > 1 && swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
