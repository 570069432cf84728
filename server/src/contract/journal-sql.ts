import { isFollowed } from "../features/journal/followed.ts";
import { pathsOf, type PathScope } from "../access/reach.ts";
import { columnOf } from "../jsonapi/definition/members.ts";
import { columnsByType, isWritable } from "../jsonapi/definition/relationships.ts";
import type { Catalogue, Resource } from "../jsonapi/definition/resource.ts";

/** Every row has them, and they change with every write. */
const unrecorded = new Set([
  "created-at",
  "modified-at",
  "updated-at",
  "configuration-version",
  "created-by",
  "modified-by",
]);

/** Every write of such a row is a change of permissions: of any, or of those with one of the values. */
const rowsWithRights: Readonly<Record<string, Record<string, readonly string[] | null>>> = {
  "role-assignments": { role_id: null },
  "cell-memberships": { cell_role: ["leader", "co-leader"] },
};

/** A change of the column is a change of permissions. Links that give rights say so in their definition. */
const membersWithRights: Readonly<Record<string, readonly string[]>> = {
  people: ["administrative_status"],
  roles: ["permissions"],
};

/** `server/journal.sql`: the triggers that write the journal, with what the definition of each type says. */
export const journalSql = ({ resources }: Catalogue): string =>
  [
    "-- Generated from the definitions by `npm run generate`. The functions are in `src/features/journal/facts.sql`.",
    ...[...resources.values()].flatMap(journalOf),
  ].join("\n\n") + "\n";

/** A trigger with the arguments of its function. */
interface Trigger {
  table: string;
  name: string;
  runs: "journal_row" | "journal_link";
  rules: readonly string[];
}

/** The triggers of a type: one on its rows, and one on each table with links that it writes. */
export function triggersOf(resource: Resource): Trigger[] {
  if (!isFollowed(resource)) return [];
  const places = placeColumns(resource);
  const rules = [
    resource.type,
    subjectOf(resource),
    array(places),
    JSON.stringify(membersByColumn(resource)),
    array(redactedColumns(resource)),
    JSON.stringify(rowsWithRights[resource.type] ?? {}),
    array(membersWithRights[resource.type] ?? []),
  ];
  const links = Object.entries(resource.relationships).flatMap(([name, one]): Trigger[] => {
    if (one.kind !== "to-many" || !one.writable || !resource.operations.update) return [];
    const ofLink = [
      resource.type,
      one.from,
      one.to,
      name,
      String(resource.type === "people"),
      String(places.includes("id")),
      String("givesRights" in one),
    ];
    const trigger = `journal_${name.replaceAll("-", "_")}`;
    return [{ table: one.table, name: trigger, runs: "journal_link", rules: ofLink }];
  });
  return [{ table: resource.table, name: "journal", runs: "journal_row", rules }, ...links];
}

/** The statements that make the triggers of a type. */
export const journalOf = (resource: Resource): string[] => triggersOf(resource).map(follow);

const follow = ({ name, rules, runs, table }: Trigger): string =>
  `select journal_follow('${table}', '${name}', '${runs}',\n  ${rules.map((one) => `'${one}'`).join(",\n  ")});`;

const array = (names: readonly string[]): string => `{${names.join(",")}}`;

function membersByColumn({
  attributes,
  customProperties,
  relationships,
}: Resource): Record<string, string> {
  const members: Record<string, string> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const isStored =
      !attribute.writeOnly &&
      (attribute.expression === undefined || attribute.mode !== "read-only");
    if (isStored && !unrecorded.has(name)) members[columnOf(name, attribute)] = name;
  }
  if (customProperties) members["custom_properties"] = "custom-properties.*";
  for (const [name, one] of Object.entries(relationships))
    if (one.kind === "to-one" && "column" in one && !unrecorded.has(name))
      for (const column of Object.values(columnsByType(one))) members[column] = name;
  return members;
}

const redactedColumns = ({ attributes }: Resource): string[] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    const { readableWith, redacted, withheld } = attribute;
    return readableWith !== undefined || redacted || withheld ? columnOf(name, attribute) : [];
  });

/**
 * The columns that lead to the scopes of the row. A row that is a place itself also names the one above it, because the tree forgets
 * a place that is deleted.
 */
function placeColumns({ reach, relationships, type }: Resource): string[] {
  const columns = (Object.keys(reach ?? {}) as PathScope[])
    .filter((scope) => !["account", "creator", "public", "self"].includes(scope))
    .flatMap((scope) => pathsOf(reach, scope))
    .flatMap((path) => ("column" in path ? path.column : []));
  const above = Object.values(relationships).flatMap((one) =>
    one.kind === "to-one" && "column" in one && isWritable(one, "existing")
      ? (columnsByType(one)[type] ?? [])
      : [],
  );
  return [...new Set([...columns, ...(columns.includes("id") ? above : [])])];
}

/** The column that leads to the person whom the resource is about. */
function subjectOf({ relationships, type }: Resource): string {
  if (type === "people") return "id";
  for (const one of [relationships["person"], relationships["about"]])
    if (one?.kind === "to-one" && "column" in one) {
      const column = columnsByType(one)["people"];
      if (column !== undefined) return column;
    }
  return "";
}
