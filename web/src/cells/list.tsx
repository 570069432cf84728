import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { MessageCircle } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useHolds } from "../app/may.ts";
import { ReadWords } from "../app/failure.tsx";
import { useSession } from "../app/session.tsx";
import { type CellRow, cellsQuestion } from "../data/cells.ts";
import { allWaitingReportsOptions } from "../data/reports.ts";
import { useRows } from "../data/rows.ts";
import { type Owed, owedBy } from "../records/owed.ts";
import { useOwedWords, useReminder } from "../records/reminder.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { type Column, DataList } from "../ui/data-list.tsx";
import { CheckField, SelectField } from "../ui/field.tsx";
import { FilterButton, FilterChips, FilterRow, SearchField } from "../ui/filter-bar.tsx";
import { FilterGroups } from "../ui/filter-groups.tsx";
import { formatDate, formatNumber, formatTime, formatWeekday, weekdays } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { WriteButton } from "../ui/reach.tsx";
import { writeLink } from "../ui/reach-links.ts";
import { Segments } from "../ui/segments.tsx";
import { EmptyState } from "../ui/states.tsx";
import styles from "./list.module.css";
import { ReportState } from "./report-state.tsx";
import { Tree } from "./tree.tsx";
import { cellStatuses } from "./words.ts";

const Remind = lazy(() => import("./remind.tsx"));

const route = getRouteApi("/frame/cells");

/** The groups in reach, as a list or as a tree. */
export function CellsList() {
  const { t } = useLingui();
  const { account } = useSession();
  const label = account.settings["cells-label"] ?? t`Groups`;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isTree = search.view === "tree";
  const set = (changes: typeof search, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace, resetScroll: false });
  const rows = useRows(cellsQuestion(search));
  const total = rows.total ?? 0;
  const count = formatNumber(total);
  const { states, owed } = useReports();
  const { sort, view: _view, ...question } = search;
  return (
    <Page
      isFilling={!isTree}
      title={label}
      documentTitle={label}
      beside={!isTree && <span role="status">{rows.total !== undefined && count}</span>}
      actions={
        <Segments
          label={t`View`}
          value={isTree ? "tree" : "list"}
          options={[
            ["list", t`List`],
            ["tree", t`Tree`],
          ]}
          onChange={(view) => set({ view: view === "tree" ? view : undefined })}
        />
      }
    >
      {isTree ? (
        <Tree reports={states} />
      ) : (
        <>
          <FilterRow>
            <SearchField
              label={t`Name, category or place`}
              value={search.q ?? ""}
              onSearch={(q) => set({ q: q || undefined }, true)}
            />
            <Filters search={search} set={set} show={t`Show ${count}`} />
          </FilterRow>
          <Chips search={search} set={set} />
          {search.report === "overdue" && Object.keys(question).length === 1 && (
            <RemindAll owed={owed} />
          )}
          <Rows
            rows={rows}
            states={states}
            owed={search.report === "overdue" ? owed : undefined}
            sort={sort ?? "name"}
            onSort={(next) => set({ sort: next })}
            hasFilter={Object.keys(question).length > 0}
            onClear={() => void navigate({ search: {} })}
            label={label}
          />
        </>
      )}
    </Page>
  );
}

/** The state of the report that a group owes, and the overdue ones of others. */
function useReports() {
  const { person } = useSession();
  const { data: waiting = [] } = useQuery({
    ...allWaitingReportsOptions,
    enabled: useHolds("cell-meetings:read"),
  });
  return {
    // The oldest meeting of a group stands first.
    states: new Map(
      waiting.toReversed().map((meeting) => [meeting.cell.id, meeting["report-status"]] as const),
    ),
    owed: owedBy(waiting).filter(({ leader }) => leader?.id !== person.id),
  };
}

/** Opens the prepared messages to all leaders who can be reached. */
function RemindAll({ owed }: { owed: readonly Owed[] }) {
  const [isOpen, setOpen] = useState(false);
  const count = owed.filter(({ leader }) => leader && writeLink(leader)).length;
  if (count === 0) return null;
  return (
    <div className={styles.remind}>
      <Button kind="filled" icon={<MessageCircle size={16} />} onClick={() => setOpen(true)}>
        <Plural value={count} one="Remind # leader" other="Remind # leaders" />
      </Button>
      {isOpen && (
        <Suspense>
          <Remind owed={owed} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

type Search = ReturnType<typeof route.useSearch>;
type Set = (changes: Search) => void;

function Filters({ search, set, show }: { search: Search; set: Set; show: string }) {
  const { t, i18n } = useLingui();
  const seesReports = useHolds("cell-meetings:read");
  const days = weekdays().map(({ day, name }) => [String(day), name] as const);
  const chosen = ["status", "weekday", "report", "leader"] as const;
  return (
    <FilterButton
      count={chosen.filter((name) => search[name] !== undefined).length}
      show={show}
      onClear={() =>
        set({ status: undefined, weekday: undefined, report: undefined, leader: undefined })
      }
    >
      <FilterGroups
        groups={[
          {
            id: "status",
            title: t`Status`,
            value:
              search.status && i18n._(cellStatuses[search.status as keyof typeof cellStatuses]),
            body: (
              <SelectField
                label={t`Status`}
                value={search.status ?? ""}
                options={[
                  ["", t`All but closed`],
                  ...Object.entries(cellStatuses).map(
                    ([value, words]) => [value, i18n._(words)] as const,
                  ),
                ]}
                onChange={({ currentTarget: { value } }) => set({ status: value || undefined })}
              />
            ),
          },
          {
            id: "weekday",
            title: t`Weekday`,
            value: search.weekday && formatWeekday(Number(search.weekday)),
            body: (
              <SelectField
                label={t`Weekday`}
                value={search.weekday ?? ""}
                options={[["", t`Any day`], ...days]}
                onChange={({ currentTarget: { value } }) => set({ weekday: value || undefined })}
              />
            ),
          },
          {
            id: "attention",
            title: t`Needs attention`,
            value: search.report || search.leader ? t`Chosen` : undefined,
            body: (
              <>
                {seesReports && (
                  <CheckField
                    label={t`A report is overdue`}
                    checked={search.report === "overdue"}
                    onChange={({ currentTarget: { checked } }) =>
                      set({ report: checked ? "overdue" : undefined })
                    }
                  />
                )}
                <CheckField
                  label={t`No leader`}
                  checked={search.leader === "none"}
                  onChange={({ currentTarget: { checked } }) =>
                    set({ leader: checked ? "none" : undefined })
                  }
                />
              </>
            ),
          },
        ]}
      />
    </FilterButton>
  );
}

function Chips({ search, set }: { search: Search; set: Set }) {
  const { t, i18n } = useLingui();
  const status = search.status as keyof typeof cellStatuses | undefined;
  const words = {
    status: status && cellStatuses[status] && i18n._(cellStatuses[status]),
    weekday: search.weekday && formatWeekday(Number(search.weekday)),
    report: search.report === "overdue" ? t`A report is overdue` : undefined,
    leader: search.leader === "none" ? t`No leader` : undefined,
  };
  return (
    <FilterChips
      chips={Object.entries(words).flatMap(([id, text]) =>
        text ? [{ id, words: text, onRemove: () => set({ [id]: undefined }) }] : [],
      )}
      onClear={() =>
        set({ status: undefined, weekday: undefined, report: undefined, leader: undefined })
      }
    />
  );
}

function Rows({
  rows,
  states,
  owed,
  sort,
  onSort,
  hasFilter,
  onClear,
  label,
}: {
  rows: ReturnType<typeof useRows<CellRow>>;
  states: ReadonlyMap<string, string | null>;
  /** The overdue reports, if the list is about them. */
  owed: readonly Owed[] | undefined;
  sort: string;
  onSort: (sort: string) => void;
  hasFilter: boolean;
  onClear: () => void;
  label: string;
}) {
  const { t } = useLingui();
  const reminder = useReminder();
  const words = useOwedWords();
  const owedOf = ({ id }: CellRow) => owed?.find(({ cell }) => cell.id === id);
  const owing = (row: CellRow) => {
    const one = owedOf(row);
    return one && words(one);
  };
  const write = (row: CellRow) => {
    const one = owedOf(row);
    return (
      one?.leader && (
        <WriteButton {...one.leader} name={one.leader["full-name"]} message={reminder(one)} />
      )
    );
  };
  const when = ({ weekday, "starts-at": startsAt }: CellRow) =>
    weekday === null
      ? null
      : startsAt === null
        ? formatWeekday(weekday)
        : t`${formatWeekday(weekday)}, ${formatTime(startsAt)}`;
  const leaders = (cell: CellRow) =>
    cell.leaders?.map((leader) => leader["full-name"]).join(", ") || null;
  const state = (cell: CellRow) => (
    <ReportState report={states.get(cell.id)} status={cell.status} />
  );
  const columns: Column<CellRow>[] = [
    {
      id: "name",
      header: t`Name`,
      sort: "name",
      width: [220, 3],
      cell: (cell) => (
        <Link to="/cells/$id" params={{ id: cell.id }}>
          <bdi title={cell.name}>{cell.name}</bdi>
        </Link>
      ),
    },
    {
      id: "leaders",
      header: t`Leaders`,
      width: [150, 2],
      cell: (cell) => <bdi>{leaders(cell)}</bdi>,
    },
    owed
      ? { id: "owing", header: t`Overdue reports`, width: [220, 2], cell: owing }
      : { id: "when", header: t`Meets`, sort: "weekday", width: [170, 1], cell: when },
    {
      id: "members",
      header: t`Members`,
      sort: "members-count",
      width: [125, 0],
      // Groups in the reduced view do not say how many they are.
      cell: (cell) => cell["members-count"] !== undefined && formatNumber(cell["members-count"]),
    },
    {
      id: "last",
      header: t`Last meeting`,
      sort: "last-meeting-on",
      width: [130, 1],
      cell: (cell) => cell["last-meeting-on"] && formatDate(cell["last-meeting-on"], "day"),
    },
    owed
      ? { id: "write", header: t`Remind`, width: [100, 0], cell: write }
      : { id: "state", header: t`Report`, width: [100, 1], cell: state },
  ];
  return (
    <DataList<CellRow>
      label={label}
      rows={rows}
      columns={columns}
      nameOf={(cell) => cell.name}
      face={(cell) => <Avatar name={cell.name} />}
      phoneRow={(cell) => (
        <div className={styles.line}>
          <Link to="/cells/$id" params={{ id: cell.id }} className={styles.lineText}>
            <bdi className={styles.lineName}>{cell.name}</bdi>
            <span className={styles.lineDetail}>
              {[leaders(cell), owing(cell) ?? when(cell)].filter(Boolean).join(" · ")}
            </span>
          </Link>
          {owed ? write(cell) : state(cell)}
        </div>
      )}
      sort={sort}
      onSort={onSort}
      failure={rows.error && <ReadWords error={rows.error} onRetry={rows.retry} />}
      empty={
        hasFilter ? (
          <EmptyState
            title={<Trans>Nothing matches</Trans>}
            actions={
              <Button onClick={onClear}>
                <Trans>Clear search and filters</Trans>
              </Button>
            }
          />
        ) : (
          <EmptyState title={<Trans>No groups yet</Trans>} />
        )
      }
    />
  );
}
