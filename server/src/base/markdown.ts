/** Parts of generated Markdown documents. */

export type Edge = readonly [from: string, to: string, label: string];

/** One arrow between two states, labeled with all its triggers. Mermaid names cannot contain a hyphen. */
export function diagram(edges: readonly Edge[]): string {
  const arrows = Map.groupBy(edges, ([from, to]) => `${nodeOf(from)} --> ${nodeOf(to)}`);
  const names = new Set(edges.flatMap(([from, to]) => [from, to]).filter((name) => name !== "[*]"));
  const ends = [...names].filter((name) => !edges.some(([from]) => from === name));
  return [
    "```mermaid",
    "stateDiagram-v2",
    ...[...names].map((name) => `  state "${name}" as ${nodeOf(name)}`),
    ...[...arrows].map(
      ([arrow, all]) => `  ${arrow}: ${[...new Set(all.map(labelOf))].join(", ")}`,
    ),
    ...ends.map((name) => `  ${nodeOf(name)} --> [*]`),
    "```",
  ].join("\n");
}

const nodeOf = (name: string) => name.replaceAll("-", "_");
const labelOf = ([, , label]: Edge) => label;

export const code = (text: string) => `\`${text}\``;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
