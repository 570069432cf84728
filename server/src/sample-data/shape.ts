/** How many churches there are and how large, by size; the largest comes first. */
export const sizes = ["small", "church", "metropolis"] as const;
export type Size = (typeof sizes)[number];

export interface Shape {
  people: number;
  courses: number;
  /** Without the supervisions above them. */
  cells: number;
  /** Each cell has a meeting in each of these weeks. */
  weeks: number;
}

export const METROPOLIS_CHURCHES = 200;
export const METROPOLIS_PEOPLE = 1_000_000;
const LARGEST = 100_000;
/** Cells and courses need leaders, teachers and members. */
export const SEEDED_PEOPLE_MIN = 20;
export const SEEDED_PEOPLE_MAX = LARGEST;

/** `size` can also be the number of people in one account. */
export function shapesOf(size: Size | number): Shape[] {
  if (typeof size === "number") {
    const courses = Math.min(100, Math.ceil(size / 50));
    return [{ people: size, courses, cells: cellsOf(size), weeks: 13 }];
  }
  switch (size) {
    case "small":
      return [{ people: 200, courses: 8, cells: cellsOf(200), weeks: 52 }];
    case "church":
      return [{ people: 5_000, courses: 100, cells: cellsOf(5_000), weeks: 13 }];
    case "metropolis":
      return [LARGEST, ...skewed(METROPOLIS_PEOPLE - LARGEST, METROPOLIS_CHURCHES - 1)].map(
        (people, index) => ({
          people,
          courses: Math.min(100, Math.ceil(people / 250)),
          cells: cellsOf(people),
          // The largest account has a year, which is more than two million attendances. Two months show the others.
          weeks: index === 0 ? 52 : 8,
        }),
      );
  }
}

/** With the supervisions above them, the largest account has 5,000. */
const cellsOf = (people: number) => Math.max(1, Math.round(people * 0.045));

/** Like cities: a few large ones, many small ones. The sum is exact. */
function skewed(total: number, count: number): number[] {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 6) ** 0.95);
  const sum = weights.reduce((a, b) => a + b, 0);
  const parts = weights.map((weight) => Math.floor((weight / sum) * total));
  const rest = total - parts.reduce((a, b) => a + b, 0);
  return parts.map((part, index) => (index < rest ? part + 1 : part));
}
