import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link, getRouteApi } from "@tanstack/react-router";
import {
  Bookmark,
  BookmarkX,
  Columns3,
  Download,
  Ellipsis,
  Phone,
  Plus,
  Printer,
  Rows3,
  SquareCheckBig,
} from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useHolds } from "../app/may.ts";
import { useKeys } from "../app/key-bindings.ts";
import { usePreferences } from "../app/preferences.ts";
import { ReadWords } from "../app/failure.tsx";
import { type PersonRow, peopleQuestion } from "../data/people-list.ts";
import {
  listOf,
  MOST_IDS,
  type PeopleSearch,
  type SignedSort,
  questionOf,
} from "../data/people-filters.ts";
import { ofPerson } from "../data/kept.ts";
import { useRows } from "../data/rows.ts";
import { membershipTones } from "../records/enums.ts";
import { MembershipStatus } from "../records/membership-status.tsx";
import {
  chooseColumns,
  DEFAULT_COLUMNS,
  fieldsOf,
  usePeopleColumns,
} from "../records/people-columns.tsx";
import { usePeopleFilterWords } from "../records/people-filter-words.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import {
  DataList,
  EVERYTHING,
  NOTHING,
  type Selection,
  SelectionBar,
  selectedCount,
} from "../ui/data-list.tsx";
import { FilterButton, FilterChips, FilterRow, SearchField } from "../ui/filter-bar.tsx";
import { accountTimeZone, formatNumber, today } from "../ui/format.ts";
import { useIsPhone } from "../ui/media.ts";
import { Page } from "../ui/page.tsx";
import { type MenuEntry, MenuButton } from "../ui/popover.tsx";
import { firstPhone } from "../ui/reach.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { CsvOrder } from "./csv-export.tsx";
import { ListTabs, openList, useSavedLists } from "./lists.tsx";
import { ColumnsButton, SortButton } from "./tools.tsx";
import styles from "./list.module.css";

const route = getRouteApi("/frame/people");

const FilterPanel = lazy(() => import("./filter-panel.tsx"));
const ColumnsSheet = lazy(() =>
  import("./columns-panel.tsx").then((late) => ({ default: late.ColumnsSheet })),
);
const CsvExport = lazy(() => import("./csv-export.tsx"));
const SaveListDialog = lazy(() => import("./save-list-dialog.tsx"));

/** What the row of a phone always has: its call, its chip, and the first of its second line. */
const PHONE_COLUMNS = ["phone", "status", "cells"];

export function PeopleList() {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isPhone = useIsPhone();
  const mayAdd = useHolds("people:write");
  const all = usePeopleColumns();
  const view = search.view ?? ofPerson.get<"pages">("view");
  const sort = search.sort ?? "full-name";
  const [widths, setWidths] = useState<Record<string, number>>(() => ofPerson.get("widths") ?? {});
  const [now] = useState(() => ({ today: today(), timeZone: accountTimeZone() }));

  const ids = search.columns
    ? listOf(search.columns)
    : (ofPerson.get<string[]>("columns") ?? DEFAULT_COLUMNS);
  const columns = chooseColumns(all, ids).map((column) =>
    column.id === "name" ? { ...column, cell: nameLink } : column,
  );
  const added = ids.filter((id) => !DEFAULT_COLUMNS.includes(id));
  const line = chooseColumns(all, [...PHONE_COLUMNS, ...added]);
  const rows = useRows(peopleQuestion(search, fieldsOf(isPhone ? line : columns), now));
  const total = rows.total ?? 0;

  // The rows of another question are others, so none of them is selected.
  const asked = JSON.stringify(questionOf(search));
  const [marks, setMarks] = useState({ asked, selection: NOTHING, isSelecting: false });
  const { selection, isSelecting } =
    marks.asked === asked ? marks : { selection: NOTHING, isSelecting: false };
  const select = (next: Selection) => {
    const isSelecting = selectedCount(next, total) > 0;
    setMarks({ asked, selection: isSelecting ? next : NOTHING, isSelecting });
  };
  const beginSelecting = () => setMarks({ asked, selection, isSelecting: true });

  const set = (changes: PeopleSearch, replace = false) => {
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...changes }),
      replace,
      resetScroll: false,
    });
  };
  const clear = () => {
    const { sort, columns } = search;
    void navigate({ search: { sort, view, columns }, resetScroll: false });
  };
  const chooseIds = (next: string[] | undefined) => {
    if (next === undefined) ofPerson.delete("columns");
    else ofPerson.set("columns", next);
    void navigate({
      search: (old) => ({ ...old, columns: next?.join(",") }),
      replace: true,
      resetScroll: false,
    });
  };
  const setSort = (next: string) => set({ sort: next as SignedSort });
  const words = usePeopleFilterWords(search);
  const saved = useSavedLists();
  const open = openList(saved.lists, search);
  const [isSaving, setSaving] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const count = formatNumber(total);

  const [csv, setCsv] = useState<CsvOrder>();
  const exportCsv = (chosen: Selection) =>
    setCsv({
      search,
      columns,
      fields: fieldsOf(columns),
      now,
      chosen,
      count: selectedCount(chosen, total),
    });
  const print = (chosen: Selection) =>
    void navigate({
      to: "/print/people",
      search: {
        ...search,
        columns: ids.join(","),
        page: undefined,
        view: undefined,
        [chosen.isAll ? "except" : "ids"]: [...chosen.ids].join(",") || undefined,
      },
    });
  const columnsChoice = {
    all,
    chosen: columns,
    onChoose: chooseIds,
    onReset: () => {
      chooseIds(undefined);
      setWidths({});
      ofPerson.delete("widths");
    },
  };

  const more: MenuEntry[] = [
    {
      id: "csv",
      label: t`CSV file`,
      icon: <Download size={16} />,
      onSelect: () => exportCsv(EVERYTHING),
    },
    {
      id: "print",
      label: t`Print`,
      icon: <Printer size={16} />,
      onSelect: () => print(EVERYTHING),
    },
    ...(isPhone
      ? [
          {
            id: "select",
            label: t`Select`,
            icon: <SquareCheckBig size={16} />,
            onSelect: beginSelecting,
          },
          {
            id: "columns",
            label: t`Columns`,
            icon: <Columns3 size={16} />,
            onSelect: () => setChoosing(true),
          },
        ]
      : []),
    open === undefined
      ? {
          id: "save",
          label: t`Save as list`,
          icon: <Bookmark size={16} />,
          ...(saved.isFull && { reason: t`You have 50 lists.` }),
          onSelect: () => setSaving(true),
        }
      : {
          id: "remove",
          label: t`Remove this list`,
          icon: <BookmarkX size={16} />,
          onSelect: () => saved.remove(open.name),
        },
    {
      id: "view",
      label: view === "pages" ? t`One long list` : t`Pages of 100`,
      icon: <Rows3 size={16} />,
      onSelect: () => {
        const next = view === "pages" ? undefined : ("pages" as const);
        if (next === undefined) ofPerson.delete("view");
        else ofPerson.set("view", next);
        void navigate({
          search: (old) => ({ ...old, view: next, page: undefined }),
          resetScroll: false,
        });
      },
    },
  ];

  // The list itself moves and selects. From elsewhere on the page, its keys lead into it.
  useKeys([
    { keys: "j", label: t`Next row`, run: enterRows },
    { keys: "k", label: t`Previous row`, run: enterRows },
    { keys: "x", label: t`Select the row, or with Shift a range`, run: enterRows },
  ]);

  return (
    <Page
      isFilling
      title={<Trans>People</Trans>}
      documentTitle={t`People`}
      beside={
        <span role="status">
          {rows.total === undefined ? null : (
            <>
              {count}
              <span className="visually-hidden">
                {" "}
                <Plural value={total} one="person" other="people" />
              </span>
            </>
          )}
        </span>
      }
      actions={
        mayAdd && (
          <LinkButton to="/people/new" kind="filled" icon={<Plus size={18} />}>
            <span>
              <Trans>Add person</Trans>
            </span>
          </LinkButton>
        )
      }
    >
      <div className={styles.top}>
        <FilterRow>
          <SearchField
            label={t`Name, e-mail or phone`}
            value={search.q ?? ""}
            onSearch={(q) => set({ q: q || undefined }, true)}
          />
          <FilterButton count={words.length} show={t`Show ${count} people`} onClear={clear}>
            <FilterPanel
              search={search}
              set={set}
              words={words}
              sort={isPhone ? sort : undefined}
            />
          </FilterButton>
          {!isPhone && (
            <>
              <SortButton sort={sort} onSort={setSort} />
              <ColumnsButton {...columnsChoice} />
            </>
          )}
          <MenuButton
            trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
            entries={more}
          />
        </FilterRow>
        {isSelecting ? (
          <div className={words.length === 0 ? styles.overTabs : undefined}>
            <SelectionBar selection={selection} total={total} onSelect={select}>
              <Button icon={<Download size={16} />} onClick={() => exportCsv(selection)}>
                <span>
                  <Trans>CSV file</Trans>
                </span>
              </Button>
              <Button
                icon={<Printer size={16} />}
                reason={
                  selection.ids.size <= MOST_IDS
                    ? undefined
                    : selection.isAll
                      ? t`A print can leave out 100 people at most. Narrow the filter.`
                      : t`A selection of more than 100 people cannot be printed. Select all, or narrow the filter.`
                }
                onClick={() => print(selection)}
              >
                <span>
                  <Trans>Print</Trans>
                </span>
              </Button>
            </SelectionBar>
          </div>
        ) : (
          <FilterChips
            chips={words.map(({ name, words }) => ({
              id: name,
              words,
              onRemove: () => set({ [name]: undefined }),
            }))}
            onClear={clear}
          />
        )}
        {csv && (
          <Suspense>
            <CsvExport order={csv} onEnd={() => setCsv(undefined)} />
          </Suspense>
        )}
        {(!isSelecting || words.length > 0) && <ListTabs search={search} saved={saved.lists} />}
      </div>
      {isChoosing && (
        <Suspense>
          <ColumnsSheet {...columnsChoice} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
      {isSaving && (
        <Suspense>
          <SaveListDialog
            onSave={(name) => saved.save(name, { ...search, page: undefined, view: undefined })}
            onClose={() => setSaving(false)}
          />
        </Suspense>
      )}
      <DataList<PersonRow>
        label={t`People`}
        rows={rows}
        columns={columns}
        nameOf={(person) => person["full-name"]}
        face={(person) => (
          <Avatar name={person["full-name"]} photo={person["photo-url"]} size={isPhone ? 40 : 34} />
        )}
        phoneRow={(person) => (
          <PersonLine
            person={person}
            texts={line
              .filter(({ id }) => id === "cells" || added.includes(id))
              .flatMap(({ text }) => text(person) || [])}
          />
        )}
        sort={sort}
        onSort={setSort}
        widths={widths}
        onWidth={(column, width) => {
          const next = { ...widths, [column]: width };
          setWidths(next);
          ofPerson.set("widths", next);
        }}
        select={{
          selection,
          onSelect: select,
          isSelecting,
          onSelecting: beginSelecting,
        }}
        pages={
          view === "pages"
            ? {
                page: Number(search.page ?? 1),
                link: (page) => ({
                  to: "/people",
                  search: { ...search, view, page: String(page) },
                }),
              }
            : undefined
        }
        hasKeys={usePreferences().keys !== "off"}
        failure={rows.error && <ReadWords error={rows.error} onRetry={rows.retry} />}
        empty={
          Object.keys(questionOf(search)).length === 0 ? (
            <EmptyState
              title={<Trans>No people yet</Trans>}
              actions={
                mayAdd && (
                  <LinkButton to="/people/new">
                    <Trans>Add person</Trans>
                  </LinkButton>
                )
              }
            />
          ) : (
            <EmptyState
              title={<Trans>Nobody matches</Trans>}
              actions={
                <Button onClick={clear}>
                  <Trans>Clear search and filters</Trans>
                </Button>
              }
            />
          )
        }
      />
    </Page>
  );
}

const enterRows = () => document.querySelector<HTMLElement>("[data-index] a")?.focus();

const nameLink = ({ id, "full-name": name }: PersonRow) => (
  <Link to="/people/$id" params={{ id }} className={styles.name}>
    <bdi title={name}>{name}</bdi>
  </Link>
);

/** A person on a phone: the name; a status that deserves a look, the group and the added columns; a call. */
function PersonLine({ person, texts }: { person: PersonRow; texts: readonly string[] }) {
  const { t } = useLingui();
  const name = person["full-name"];
  const phone = firstPhone(person.phones);
  const status = person["membership-status"];
  const deservesLook = status && membershipTones[status] !== undefined;
  return (
    <div className={styles.line}>
      <Link to="/people/$id" params={{ id: person.id }} className={styles.lineText}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.lineDetail}>
          {status && (deservesLook || texts.length === 0) && <MembershipStatus status={status} />}
          <span className={styles.lineTexts}>
            {texts.map((text, at) => (
              <bdi key={at}>{text}</bdi>
            ))}
          </span>
        </span>
      </Link>
      {phone && (
        <a href={`tel:${phone.number}`} className={styles.call} aria-label={t`Call ${name}`}>
          <Phone size={20} />
        </a>
      )}
    </div>
  );
}
