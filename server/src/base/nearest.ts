/**
 * Names similar to `word`, the most similar first. A name differs by at most `slipsMax` typing errors, and by at most a
 * third of its letters.
 */
export function nearest(word: string, names: readonly string[], slipsMax = 2): string[] {
  return names
    .map((name) => ({ name, slips: slipsBetween(word, name) }))
    .filter(({ name, slips }) => slips <= Math.min(slipsMax, name.length / 3))
    .sort((a, b) => a.slips - b.slips)
    .map(({ name }) => name);
}

/** The number of missing, added, wrong and swapped letters (Damerau-Levenshtein distance). */
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
