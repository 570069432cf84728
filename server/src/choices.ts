/** How what can be chosen is told to whoever chose something else. */

/** More than these nobody reads. */
const LISTED_MAX = 20;
const NEAR_MAX = 3;
/** Nobody means a name that is much longer than any there is. */
const GIVEN_LENGTH_MAX = 100;

/** Continues "must be one of": all there is, or of many what `given` may have been meant to be. */
export function choicesFor(values: readonly string[], given: unknown): string {
  if (values.length <= LISTED_MAX) return values.join(", ");
  const near = typeof given === "string" ? nearest(values, given) : [];
  const suggested = near.length > 0 ? `, such as ${near.join(", ")}` : "";
  return `${values.length} values that the reference lists${suggested}`;
}

function nearest(values: readonly string[], given: string): string[] {
  if (given.length > GIVEN_LENGTH_MAX) return [];
  const word = given.toLowerCase();
  return values
    .map((value) => ({ value, edits: editsBetween(word, value) }))
    .filter(({ edits }) => edits <= word.length / 3)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, NEAR_MAX)
    .map(({ value }) => value);
}

/** How many letters have to be added, taken or replaced to get from one to the other. */
function editsBetween(one: string, other: string): number {
  const letters = Array.from(other);
  let row = [0, ...letters.keys().map((column) => column + 1)];
  for (const [above, letter] of Array.from(one).entries()) {
    const next = [above + 1];
    for (const [column, wanted] of letters.entries())
      next.push(
        Math.min(
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          (row[column] ?? 0) + (letter === wanted ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
