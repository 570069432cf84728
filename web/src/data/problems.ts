import type { Problem } from "@vestry/sdk";

/** What the words for an error are made from. */
export type ProblemCause = Pick<Problem, "code" | "detail" | "meta" | "source">;

/** The errors of one response, by the names of the inputs that show them. The others stand above the form. */
export type Placed = {
  fields: ReadonlyMap<string, readonly Problem[]>;
  others: readonly Problem[];
};

export const nothingPlaced: Placed = { fields: new Map(), others: [] };

/** `phones.0.number` of `/data/attributes/phones/0/number`, and `assignee` of `/data/relationships/assignee/data`. */
export function fieldOf({ source }: Pick<Problem, "source">): string | undefined {
  const path = /^\/data\/(attributes|relationships)\/(.+)$/.exec(source?.pointer ?? "");
  if (path === null) return undefined;
  const steps = (path[2] ?? "").split("/").map(unescaped);
  const [name, data, ...more] = steps;
  return (path[1] === "relationships" && data === "data" ? [name, ...more] : steps).join(".");
}

const unescaped = (step: string) => step.replaceAll("~1", "/").replaceAll("~0", "~");

/** An error without an input of its own goes to the nearest group around it, or to the first input of its group. */
export function placeProblems(problems: readonly Problem[], names: Iterable<string>): Placed {
  const known = new Set(names);
  const fields = new Map<string, Problem[]>();
  const others: Problem[] = [];
  for (const problem of problems) {
    const field = fieldOf(problem);
    const name = field === undefined ? undefined : nearest(field, known);
    if (name === undefined) others.push(problem);
    else fields.set(name, [...(fields.get(name) ?? []), problem]);
  }
  return { fields, others };
}

function nearest(field: string, known: ReadonlySet<string>): string | undefined {
  const steps = field.split(".");
  for (let length = steps.length; length > 0; length -= 1) {
    const group = steps.slice(0, length).join(".");
    if (known.has(group)) return group;
  }
  return [...known].find((name) => name.startsWith(`${field}.`));
}
