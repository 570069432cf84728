import { Mail } from "lucide-react";
import { useState } from "react";
import { Avatar } from "../avatar.tsx";
import { Button } from "../button.tsx";
import {
  type Column,
  DataList,
  NOTHING,
  type Rows,
  type Selection,
  SelectionBar,
} from "../data-list.tsx";
import { CheckField, TextField } from "../field.tsx";
import { FilterButton, FilterChips, FilterRow, SearchField } from "../filter-bar.tsx";
import { FilterGroups } from "../filter-groups.tsx";
import { EmptyState } from "../states.tsx";
import styles from "./gallery.module.css";
import { LONG_TEXT, nothing, PEOPLE, type Person, Specimen } from "./specimen.tsx";

const columns: readonly Column<Person>[] = [
  {
    id: "name",
    header: "Name",
    sort: "name",
    width: [200, 2],
    cell: ({ id, name }) => (
      <a href={`#person-${id}`}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { id: "group", header: "Group", width: [140, 1], cell: () => "Alfama" },
  { id: "note", header: "Note", sort: "note", width: [180, 1], cell: () => LONG_TEXT },
];

const rows = (about: Partial<Rows<Person>>): Rows<Person> => ({
  key: "",
  total: 12,
  isOld: false,
  at: (index) => PEOPLE[index % PEOPLE.length],
  between: (first, last) => Promise.resolve(PEOPLE.slice(first, last + 1)),
  show: nothing,
  error: null,
  readAt: Number.NaN,
  retry: nothing,
  ...about,
});

/** The rows of each list stay the same object, since a list shows other rows from the start. */
const LISTS = {
  "Rows": rows({}),
  "Old rows": rows({ total: 104, error: {}, readAt: Date.UTC(2026, 2, 1) }),
  "Rows on their way": rows({ total: undefined, at: nothing }),
  "Failed rows": rows({ total: undefined, error: { requestId: "01jd-0000-request" } }),
  "No rows": rows({ total: 0 }),
};

function People({ label, rows }: { label: string; rows: Rows<Person> }) {
  const [selection, onSelect] = useState<Selection>({ isAll: false, ids: new Set(["1"]) });
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const [sort, onSort] = useState("name");
  const hasSelection = label === "Rows";
  return (
    <Specimen state={`DataList: ${label}`}>
      {hasSelection && selection !== NOTHING && (
        <SelectionBar selection={selection} total={12} onSelect={onSelect}>
          <Button icon={<Mail size={16} />}>
            <span>Write</span>
          </Button>
        </SelectionBar>
      )}
      <div className={styles.list}>
        <DataList
          label={label}
          rows={rows}
          columns={columns}
          nameOf={({ name }) => name}
          face={({ name }) => <Avatar name={name} />}
          phoneRow={({ id, name }) => (
            <a href={`#person-${id}`} className={styles.name}>
              <bdi>{name}</bdi>
            </a>
          )}
          sort={sort}
          onSort={onSort}
          widths={widths}
          onWidth={(column, width) => setWidths({ ...widths, [column]: width })}
          select={
            hasSelection
              ? { selection, onSelect, isSelecting: selection !== NOTHING, onSelecting: nothing }
              : undefined
          }
          pages={
            label === "Old rows"
              ? { page: 2, link: (page) => ({ to: "/people", search: { page } as never }) }
              : undefined
          }
          empty={<EmptyState title="Nobody has this name" />}
          failure="The service cannot be reached."
        />
      </div>
    </Specimen>
  );
}

export const Lists = () => (
  <>
    <FilterRow>
      <SearchField label="Find people" value="" onSearch={nothing} />
      <Filters count={0} />
    </FilterRow>
    <FilterRow>
      <Filters count={2} />
    </FilterRow>
    <FilterChips
      onClear={nothing}
      chips={[
        { id: "status", words: "Member or visitor", onRemove: nothing },
        { id: "group", words: LONG_TEXT, onRemove: nothing },
      ]}
    />
    {Object.entries(LISTS).map(([label, list]) => (
      <People key={label} label={label} rows={list} />
    ))}
  </>
);

const Filters = ({ count }: { count: number }) => (
  <FilterButton count={count} show="Show 223 people" onClear={nothing}>
    <FilterGroups
      first={count > 0 && <TextField label="Missed in a row, at least" />}
      groups={[
        {
          id: "status",
          title: "Status",
          value: count > 0 ? LONG_TEXT : undefined,
          body: <CheckField label="Member" defaultChecked />,
        },
        { id: "age", title: "Age", value: undefined, body: <TextField label="From" /> },
      ]}
    />
  </FilterButton>
);
