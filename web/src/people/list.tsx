import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Ellipsis, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { CsvOrder } from "../app/csv-export.tsx";
import { ReadWords } from "../app/failure.tsx";
import { useKeys } from "../app/key-bindings.ts";
import { withTexts } from "../app/languages.ts";
import { useHolds } from "../app/may.ts";
import { usePreferences } from "../app/preferences.ts";
import { questionOf } from "../data/people-filters.ts";
import { type PersonRow, peopleQuestion } from "../data/people-list.ts";
import { useRows } from "../data/rows.ts";
import { usePeopleFilterWords } from "../records/people-filter-words.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import {
  DataList,
  EVERYTHING,
  type Selection,
  selectedCount,
  SelectionBar,
} from "../ui/data-list.tsx";
import { FilterButton, FilterChips, FilterRow, SearchField } from "../ui/filter-bar.tsx";
import { formatNumber } from "../ui/format.ts";
import { useIsPhone } from "../ui/media.ts";
import { Page } from "../ui/page.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { EmptyState } from "../ui/states.tsx";
import { useSelection } from "../ui/use-selection.ts";
import { ListTabs, useSavedLists } from "./lists.tsx";
import { nameLink, PersonLine } from "./person-line.tsx";
import { SelectionActions } from "./selection-actions.tsx";
import { ColumnsButton, SortButton } from "./tools.tsx";
import { usePeopleMenu } from "./use-people-menu.tsx";
import { usePeopleView } from "./use-people-view.ts";
import styles from "./list.module.css";

const FilterPanel = lazy(() => import("./filter-panel.tsx"));
const ColumnsSheet = lazy(() =>
  import("./columns-panel.tsx").then((late) => ({ default: late.ColumnsSheet })),
);
const AddToGroup = lazy(() => withTexts(() => import("./add-to-group.tsx"), "people"));
const CsvExport = lazy(() => import("../app/csv-export.tsx"));
const SaveListDialog = lazy(() => import("./save-list-dialog.tsx"));

export function PeopleList() {
  const { t } = useLingui();
  const isPhone = useIsPhone();
  const mayAdd = useHolds("people:write");
  const hasKeys = usePreferences().keys !== "off";
  const view = usePeopleView();
  const { search, sort } = view;
  const words = usePeopleFilterWords(search);
  const saved = useSavedLists();
  const rows = useRows(peopleQuestion(search, view.fields(isPhone), view.now));
  const total = rows.total ?? 0;
  const count = formatNumber(total);
  const question = questionOf(search);
  const marks = useSelection(JSON.stringify(question), total);
  const { selection, isSelecting } = marks;

  const [opened, setOpened] = useState<"columns" | "save-list" | "group">();
  const close = () => setOpened(undefined);
  const [csv, setCsv] = useState<CsvOrder>();
  const exportCsv = (chosen: Selection) => setCsv(view.csvOrder(chosen, total));
  const menu = usePeopleMenu({
    search,
    isInPages: view.isInPages,
    saved,
    onCsv: () => exportCsv(EVERYTHING),
    onPrint: () => view.print(EVERYTHING),
    onSelecting: marks.onSelecting,
    onColumns: () => setOpened("columns"),
    onSave: () => setOpened("save-list"),
    onSwitchPages: view.switchPages,
  });

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
            onSearch={(q) => view.set({ q: q || undefined }, true)}
          />
          <FilterButton count={words.length} show={t`Show ${count} people`} onClear={view.clear}>
            <FilterPanel
              search={search}
              set={view.set}
              words={words}
              sort={isPhone ? sort : undefined}
            />
          </FilterButton>
          {!isPhone && (
            <>
              <SortButton sort={sort} onSort={view.setSort} />
              <ColumnsButton {...view.columnsChoice} />
            </>
          )}
          <MenuButton
            trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
            entries={menu}
          />
        </FilterRow>
        {isSelecting ? (
          <div className={words.length === 0 ? styles.overTabs : undefined}>
            <SelectionBar selection={selection} total={total} onSelect={marks.onSelect}>
              <SelectionActions
                selection={selection}
                total={total}
                onGroup={() => setOpened("group")}
                onCsv={() => exportCsv(selection)}
                onPrint={() => view.print(selection)}
              />
            </SelectionBar>
          </div>
        ) : (
          <FilterChips
            chips={words.map(({ name, words }) => ({
              id: name,
              words,
              onRemove: () => view.set({ [name]: undefined }),
            }))}
            onClear={view.clear}
          />
        )}
        {csv && (
          <Suspense>
            <CsvExport order={csv} onEnd={() => setCsv(undefined)} />
          </Suspense>
        )}
        {(!isSelecting || words.length > 0) && <ListTabs search={search} saved={saved.lists} />}
      </div>
      <Suspense>
        {opened === "group" && (
          <AddToGroup
            count={selectedCount(selection, total)}
            people={() => view.names(selection)}
            onClose={close}
          />
        )}
        {opened === "columns" && <ColumnsSheet {...view.columnsChoice} onClose={close} />}
        {opened === "save-list" && (
          <SaveListDialog
            onSave={(name) => saved.save(name, { ...search, page: undefined, view: undefined })}
            onClose={close}
          />
        )}
      </Suspense>
      <DataList<PersonRow>
        label={t`People`}
        rows={rows}
        columns={view.columns.map((column) =>
          column.id === "name" ? { ...column, cell: nameLink } : column,
        )}
        nameOf={(person) => person["full-name"]}
        face={(person) => (
          <Avatar name={person["full-name"]} photo={person["photo-url"]} size={isPhone ? 40 : 34} />
        )}
        phoneRow={(person) => <PersonLine person={person} texts={view.lineTexts(person)} />}
        sort={sort}
        onSort={view.setSort}
        widths={view.widths}
        onWidth={view.setWidth}
        select={marks}
        pages={
          view.isInPages ? { page: Number(search.page ?? 1), link: view.linkToPage } : undefined
        }
        hasKeys={hasKeys}
        failure={rows.error && <ReadWords error={rows.error} onRetry={rows.retry} />}
        empty={
          Object.keys(question).length === 0 ? (
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
                <Button onClick={view.clear}>
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
