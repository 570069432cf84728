import { isFollowed } from "../features/journal/followed.ts";
import { MARKS } from "../features/journal/changes/marks.ts";
import { formersOf, type PathScope, pathsOf } from "../access/reach.ts";
import { accountColumnOf, columnOf } from "../jsonapi/definition/members.ts";
import { columnsByType, isWritable, type ToMany } from "../jsonapi/definition/relationships.ts";
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

interface RowRights {
  /** The condition of a row that gives rights. A row without one always does. */
  gives?: (row: Version) => string;
  /** The columns that say which rights the row gives. Entries name them although the row itself was created or deleted. */
  columns: readonly string[];
  /** The condition of a row that still exists and gives rights no more. */
  ended?: (row: Version) => string;
}

/** Every write of such a row is a change of permissions. */
const rowsWithRights: Readonly<Record<string, RowRights>> = {
  "role-assignments": {
    columns: ["role_id", "scope_type", "scope_ids", "valid_from", "valid_until"],
  },
  "cell-memberships": {
    gives: (row) => `${row}.cell_role in ('leader', 'co-leader')`,
    columns: ["cell_role"],
    ended: (row) => `${row}.status <> 'active'`,
  },
};

/** A change of the column is a change of permissions. Links that give rights say so in their definition. */
const membersWithRights: Readonly<Record<string, readonly string[]>> = {
  people: ["administrative_status"],
  roles: ["permissions"],
};

/** `server/journal.sql`: the triggers that write the journal, with what the definition of each type says. */
export const journalSql = ({ resources }: Catalogue): string =>
  [
    "-- Generated from the definitions by `npm run generate`. The other functions are in `src/features/journal/facts.sql`.",
    ...[...resources.values()].flatMap(journalOf),
  ].join("\n\n") + "\n";

/** A trigger and the text of its function, which has the columns of the table in it: to compare them in a loop takes far longer. */
interface Trigger {
  table: string;
  name: string;
  runs: string;
  events: "insert or update or delete" | "insert or delete";
  text: string;
}

/** The triggers of a type: one on its rows, and one on each table with links that it writes. */
export function triggersOf(resource: Resource): Trigger[] {
  if (!isFollowed(resource)) return [];
  const { table } = resource;
  return [
    {
      table,
      name: "journal",
      runs: `journal_${table}`,
      events: "insert or update or delete",
      text: rowsText(resource),
    },
    ...Object.entries(resource.relationships).flatMap(([name, one]): Trigger[] => {
      if (one.kind !== "to-many" || !one.writable || !resource.operations.update) return [];
      return [
        {
          table: one.table,
          name: `journal_${name.replaceAll("-", "_")}`,
          runs: `journal_${one.table}`,
          events: "insert or delete",
          text: linksText(resource, name, one),
        },
      ];
    }),
  ];
}

/** The statements that make the triggers of a type. */
export const journalOf = (resource: Resource): string[] =>
  triggersOf(resource).flatMap(({ events, name, runs, table, text }) => [
    `create or replace function ${runs}() returns trigger language plpgsql as $$\n${text}\nend $$;`,
    `select journal_follow('${table}', '${name}', '${events}', '${runs}');`,
  ]);

type Version = "old" | "new";
type Action = "created" | "updated" | "deleted";

/** The trigger on the rows of a type. */
function rowsText(resource: Resource): string {
  const { type } = resource;
  const created =
    type === "person-merges"
      ? [
          "perform journal_merge(new.account_id, new.kept_id, new.id);",
          addRow(resource, "new", "created", { told: "null" }),
        ]
      : [
          addRow(resource, "new", "created", {
            told: told("created", givesRights(resource, "new")),
            changes: rightsText(resource, "new"),
          }),
        ];
  const deleted =
    type === "people"
      ? [
          // The second call adds to this row.
          `if cardinality(${placesText([], formerReaders(resource, "old"))}) > 0 then`,
          `  ${addRow(resource, "old", "deleted", { told: "null" })}`,
          "end if;",
          "perform journal_person_gone(old.account_id, old.id);",
        ]
      : [
          addRow(resource, "old", "deleted", {
            told: told("deleted", givesRights(resource, "old")),
            changes: rightsText(resource, "old"),
          }),
        ];
  const updated = addRow(resource, "new", "updated", {
    told: told("updated", changesRights(resource)),
    changes: changesText(resource),
  });
  return [
    "begin",
    "  if tg_op = 'INSERT' then",
    ...created.map((line) => `    ${line}`),
    "    return null;",
    "  elsif tg_op = 'DELETE' then",
    ...deleted.map((line) => `    ${line}`),
    "    return null;",
    "  end if;",
    ...goneLines(resource),
    ...anonymizedLines(resource),
    // A change that a reader sees has a new version, or a foreign key has cleared a link.
    ...(resource.unversioned ? [] : [`  if ${isUnchanged(resource)} then return null; end if;`]),
    `  ${updated}`,
    "  return null;",
  ].join("\n");
}

function isUnchanged({ relationships }: Resource): string {
  const cleared = Object.values(relationships).flatMap((one) =>
    one.kind === "to-one" && "column" in one && !one.required && !one.dangling && !one.cascades
      ? Object.values(columnsByType(one))
      : [],
  );
  const isKept = cleared.map((column) => `old.${column} is not distinct from new.${column}`);
  return ["old.version = new.version", ...isKept].join(" and ");
}

/** The history still names a row that is not shown any more. */
function goneLines(resource: Resource): string[] {
  const { rows, table } = resource;
  if (rows === undefined) return [];
  const isShown = (of: Version) => `(${rows.replaceAll(`${table}.`, `${of}.`)})`;
  return [
    `  if not ${isShown("new")} then`,
    `    if ${isShown("old")} then ${addRow(resource, "new", "deleted", { told: "'deleted'" })} end if;`,
    "    return null;",
    "  end if;",
  ];
}

/** Lists leave an anonymized person out, and the journal keeps no value. */
const anonymizedLines = ({ type }: Resource): string[] =>
  type === "people"
    ? [
        "  if new.is_anonymized then",
        "    if not old.is_anonymized then perform journal_anonymized(new.account_id, new.id); end if;",
        "    return null;",
        "  end if;",
      ]
    : [];

function addRow(
  resource: Resource,
  of: Version,
  done: Action,
  { changes = "'{}'", told: entry }: { changes?: string; told: string },
): string {
  const subject = subjectOf(resource);
  const places = placeColumns(resource).flatMap((column) =>
    done === "updated"
      ? [`new.${column}`, `nullif(old.${column}, new.${column})`]
      : `${of}.${column}`,
  );
  const readers = done === "deleted" ? formerReaders(resource, of) : [];
  const values = [
    `${of}.${accountColumnOf(resource)}`,
    quoted(resource.type),
    `${of}.id`,
    quoted(done),
    entry,
    changes,
    subject === "" ? "null" : `${of}.${subject}`,
    placesText(places, readers),
  ];
  return `perform journal_add(${values.join(", ")});`;
}

function placesText(places: readonly string[], readers: readonly string[]): string {
  if (readers.length > 0)
    return `array_remove(array[${places.join(", ")}]::uuid[]${readers.map((one) => `\n      || ${one}`).join("")}, null)`;
  return places.length > 0 ? `array_remove(array[${places.join(", ")}], null)` : "null";
}

/**
 * The other ids that led to a row before its deletion: its creator, those of `former`, and the marks of the conditions that it met.
 * Its readers then see that it is gone.
 */
function formerReaders({ reach, table }: Resource, of: Version): string[] {
  const ofRow = (sql: string) =>
    sql.replaceAll(/\bgone\./g, `${of}.`).replaceAll(new RegExp(`\\b${table}\\.`, "g"), `${of}.`);
  const either = (condition: string, ids: string) =>
    `case when ${ofRow(condition)} then ${ofRow(ids)} end`;
  const marks = (["account", "public"] as const).flatMap((scope) =>
    pathsOf(reach, scope).map(({ where }) => either(where, `array['${MARKS[scope]}'::uuid]`)),
  );
  const paths = (Object.keys(reach ?? {}) as PathScope[])
    .filter((scope) => scope !== "account" && scope !== "public")
    .flatMap((scope) => pathsOf(reach, scope));
  const creators = pathsOf(reach, "creator").flatMap((path) =>
    "column" in path ? `array[${of}.${path.column}]` : [],
  );
  const former = paths.flatMap(formersOf).map(({ ids, where }) => {
    return where === undefined ? ofRow(ids) : either(where, ids);
  });
  return [...new Set([...marks, ...creators, ...former])];
}

const told = (done: Action, isOfRights: string | undefined): string =>
  isOfRights === undefined
    ? `'${done}'`
    : isOfRights === "true"
      ? "'permission-changed'"
      : `case when ${isOfRights} then 'permission-changed' else '${done}' end`;

/** Whether a version of a row gives rights. */
function givesRights({ type }: Resource, of: Version): string | undefined {
  if (type === "people") return `${of}.administrative_status <> 'none'`;
  const rights = rowsWithRights[type];
  return rights && (rights.gives?.(of) ?? "true");
}

/** The rights that come with a new row, or go with a deleted one. */
function rightsText(resource: Resource, of: Version): string {
  const { type } = resource;
  const columns = type === "people" ? membersWithRights[type] : rowsWithRights[type]?.columns;
  const condition = givesRights(resource, of);
  if (!columns || condition === undefined) return "'{}'";
  const members = membersByColumn(resource);
  const rights = columns.map((column) => {
    const value = `${of}.${column}`;
    const [from, to] = of === "new" ? ["null", value] : [value, "null"];
    return `'${members[column]}', jsonb_build_object('from', ${from}, 'to', ${to})`;
  });
  const text = `jsonb_build_object(${rights.join(", ")})`;
  return condition === "true" ? text : `case when ${condition} then ${text} else '{}' end`;
}

function changesRights(resource: Resource): string | undefined {
  const versions =
    resource.type === "people" ? [] : [givesRights(resource, "old"), givesRights(resource, "new")];
  if (versions.includes("true")) return "true";
  const conditions = [
    ...versions.filter((one) => one !== undefined),
    ...(membersWithRights[resource.type] ?? []).map(isChanged),
  ];
  return conditions.length > 0 ? conditions.join(" or ") : undefined;
}

const isChanged = (column: string): string => `old.${column} is distinct from new.${column}`;

/** The values before and after of the members that have changed, as one expression. */
function changesText(resource: Resource): string {
  const redacted = new Set(redactedColumns(resource));
  const changes = Object.entries(membersByColumn(resource)).map(([column, member]) => {
    const change =
      member === "custom-properties.*"
        ? `journal_custom_changes(new.account_id, '${resource.type}', old.${column}, new.${column})`
        : redacted.has(column)
          ? `jsonb_build_object('${member}', jsonb_build_object('from', '[redacted]', 'to', '[redacted]'))`
          : `jsonb_build_object('${member}', jsonb_build_object('from', old.${column}, 'to', new.${column}))`;
    return `case when ${isChanged(column)} then ${change} else '{}' end`;
  });
  const { ended, gives } = rowsWithRights[resource.type] ?? {};
  if (ended && gives)
    changes.push(
      `case when ${gives("old")} and ${ended("new")} and not (${ended("old")}) then ${rightsText(resource, "old")} else '{}' end`,
    );
  return changes.length > 0 ? changes.map((one) => `\n    ${one}`).join(" ||") : "'{}'";
}

/** A link is a change of its owner: of the person or the place that the owner is. */
function linksText(resource: Resource, name: string, link: ToMany): string {
  const add = (of: Version) => {
    const target = `jsonb_build_array(${of}.${link.to})`;
    const [from, to] = of === "new" ? ["'[]'::jsonb", target] : [target, "'[]'::jsonb"];
    const owner = `${of}.${link.from}`;
    return [
      `perform journal_add(${of}.account_id, '${resource.type}', ${owner}, 'updated'`,
      "givesRights" in link ? "'permission-changed'" : "'updated'",
      `jsonb_build_object('${name}', jsonb_build_object('from', ${from}, 'to', ${to}))`,
      resource.type === "people" ? owner : "null",
      placeColumns(resource).includes("id") ? `array[${owner}]` : "null",
      "are_links => true);",
    ].join(", ");
  };
  return `begin
  if tg_op = 'INSERT' then
    ${add("new")}
  else
    ${add("old")}
  end if;
  return null;`;
}

const quoted = (value: string): string => `'${value}'`;

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
