import { Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormSubmissionStatus } from "@vestry/sdk";
import { Download, Ellipsis } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { CsvOrder } from "../app/csv-export.tsx";
import { ReadWords } from "../app/failure.tsx";
import type { Chosen } from "../data/every-row.ts";
import { answerText, firstAnswer, nameInAnswers, type Question } from "../data/form-answers.ts";
import {
  everySubmission,
  type FormRecord,
  questionsOf,
  type SubmissionRow,
  submissionsQuestion,
} from "../data/forms.ts";
import { useRows } from "../data/rows.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import {
  type Column,
  DataList,
  EVERYTHING,
  selectedCount,
  SelectionBar,
} from "../ui/data-list.tsx";
import { SelectField } from "../ui/field.tsx";
import { FilterButton, FilterChips, FilterRow, SearchField } from "../ui/filter-bar.tsx";
import { formatMoment, formatNumber } from "../ui/format.ts";
import { useIsPhone } from "../ui/media.ts";
import { MenuButton } from "../ui/popover.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState } from "../ui/states.tsx";
import { useSelection } from "../ui/use-selection.ts";
import { DecideTogether } from "./decide-together.tsx";
import styles from "./forms.module.css";
import { Totals } from "./totals.tsx";
import { submissionStatuses } from "./words.ts";

const CsvExport = lazy(() => import("../app/csv-export.tsx"));

const route = getRouteApi("/frame/forms/$id");

const isStatus = (text: string | undefined): text is FormSubmissionStatus =>
  text !== undefined && text in submissionStatuses;

/** What people sent with a form, newest first, as a table or in numbers. The address says what is searched. */
export function Answered({ form }: { form: FormRecord }) {
  const { t, i18n } = useLingui();
  const { status: wanted, q, view } = route.useSearch();
  const navigate = route.useNavigate();
  const isPhone = useIsPhone();
  const status = isStatus(wanted) ? wanted : undefined;
  const search = { form: form.id, q, status };
  const set = (changes: ReturnType<typeof route.useSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: true, resetScroll: false });
  const clear = () => void navigate({ search: ({ tab }) => ({ tab }), replace: true });
  const rows = useRows(submissionsQuestion(search));
  const total = rows.total ?? 0;
  const count = formatNumber(total);
  const marks = useSelection(JSON.stringify(search), total);
  const [csv, setCsv] = useState<CsvOrder>();
  const { nameOf, columns, csvHeader, csvRow } = useColumns(form);
  const exportCsv = (chosen: Chosen) =>
    setCsv({
      title: form.name,
      header: csvHeader,
      rows: async function* (signal) {
        for await (const row of everySubmission(search, chosen, signal)) yield csvRow(row);
      },
      count: selectedCount(chosen, total),
    });
  const state = (one: SubmissionRow) =>
    one.status === "new" ? (
      <Chip tone="info">{i18n._(submissionStatuses.new)}</Chip>
    ) : (
      <span className={styles.quiet}>{i18n._(submissionStatuses[one.status])}</span>
    );
  const views = (
    <Segments
      label={t`View`}
      value={view === "totals" ? "totals" : "table"}
      options={[
        ["table", t`Answers`],
        ["totals", t`Totals`],
      ]}
      onChange={(next) => set({ view: next === "totals" ? next : undefined })}
    />
  );
  if (view === "totals") return <Totals form={form}>{views}</Totals>;
  return (
    <>
      <FilterRow>
        <SearchField
          label={t`Name, e-mail, phone or answer`}
          value={q ?? ""}
          onSearch={(text) => set({ q: text || undefined })}
        />
        <FilterButton count={status ? 1 : 0} show={t`Show ${count}`} onClear={clear}>
          <SelectField
            label={<Trans>State</Trans>}
            name="status"
            value={status ?? ""}
            onChange={({ currentTarget: { value } }) => set({ status: value || undefined })}
            options={[
              ["", t`All but spam`],
              ...Object.entries(submissionStatuses).map(
                ([value, words]) => [value, i18n._(words)] as const,
              ),
            ]}
          />
        </FilterButton>
        <MenuButton
          trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
          entries={[
            {
              id: "csv",
              label: t`CSV file`,
              icon: <Download size={16} />,
              onSelect: () => exportCsv(EVERYTHING),
            },
            { id: "select", label: t`Select`, onSelect: marks.onSelecting },
            ...(isPhone
              ? [{ id: "totals", label: t`Totals`, onSelect: () => set({ view: "totals" }) }]
              : []),
          ]}
        />
        {!isPhone && views}
      </FilterRow>
      {marks.isSelecting ? (
        <SelectionBar selection={marks.selection} total={total} onSelect={marks.onSelect}>
          <DecideTogether
            search={search}
            chosen={marks.selection}
            count={selectedCount(marks.selection, total)}
            onCsv={() => exportCsv(marks.selection)}
            onDone={() => marks.onSelect({ isAll: false, ids: new Set() })}
          />
        </SelectionBar>
      ) : (
        <FilterChips
          chips={
            status
              ? [
                  {
                    id: "status",
                    words: i18n._(submissionStatuses[status]),
                    onRemove: () => set({ status: undefined }),
                  },
                ]
              : []
          }
          onClear={clear}
        />
      )}
      {csv && (
        <Suspense>
          <CsvExport order={csv} onEnd={() => setCsv(undefined)} />
        </Suspense>
      )}
      <DataList<SubmissionRow>
        label={t`Answers`}
        rows={rows}
        columns={[
          ...columns.slice(0, 2),
          { id: "state", header: t`State`, width: [110, 0], cell: state },
          ...columns.slice(2),
        ]}
        nameOf={nameOf}
        face={(one) => <Avatar name={nameOf(one)} />}
        phoneRow={(one) => (
          <Link
            to="/forms/$id/submissions/$submission"
            params={{ id: form.id, submission: one.id }}
            className={styles.row}
          >
            <span className={styles.rowText}>
              <bdi className={styles.rowName}>{nameOf(one)}</bdi>
              <bdi className={styles.rowDetail}>
                {[
                  formatMoment(one["submitted-at"], "day"),
                  firstAnswer(questionsOf(form), one.answers),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </bdi>
            </span>
            {state(one)}
          </Link>
        )}
        select={marks}
        failure={rows.error && <ReadWords error={rows.error} onRetry={rows.retry} />}
        empty={
          q || status ? (
            <EmptyState
              title={<Trans>Nothing matches</Trans>}
              actions={
                <Button onClick={clear}>
                  <Trans>Clear search and filters</Trans>
                </Button>
              }
            />
          ) : (
            <EmptyState title={<Trans>Nothing was sent yet</Trans>}>
              <Trans>Share the address of the form, or print its code.</Trans>
            </EmptyState>
          )
        }
      />
    </>
  );
}

const NAMES = ["full-name", "first-name", "last-name", "preferred-name"];

/** The name, the day, and a column for each question. The file has the whole names, too. */
function useColumns(form: FormRecord) {
  const { t, i18n } = useLingui();
  const words = { yes: t`yes`, no: t`no` };
  const questions = questionsOf(form).filter(({ type }) => type !== "heading");
  const nameOf = ({ answers }: SubmissionRow) =>
    nameInAnswers(questions, answers) || t`Without a name`;
  const textOf = (question: Question, { answers }: SubmissionRow) =>
    answerText(question, answers[question.key], words);
  const columns: Column<SubmissionRow>[] = [
    {
      id: "name",
      header: t`Name`,
      width: [250, 2],
      cell: (one) => (
        <Link
          to="/forms/$id/submissions/$submission"
          params={{ id: form.id, submission: one.id }}
          className={styles.name}
        >
          <bdi>{nameOf(one)}</bdi>
        </Link>
      ),
    },
    {
      id: "sent",
      header: t`Sent`,
      width: [140, 0],
      cell: (one) => formatMoment(one["submitted-at"], "day"),
    },
    ...questions
      .filter((question) => !NAMES.includes(question["maps-to"] ?? ""))
      .map(
        (question): Column<SubmissionRow> => ({
          id: `answer:${question.key}`,
          header: question.label,
          width: [150, 1],
          cell: (one) => <bdi>{textOf(question, one)}</bdi>,
        }),
      ),
  ];
  return {
    nameOf,
    columns,
    csvHeader: [t`Sent`, t`State`, ...questions.map(({ label }) => label)],
    csvRow: (one: SubmissionRow) => [
      one["submitted-at"],
      i18n._(submissionStatuses[one.status]),
      ...questions.map((question) => textOf(question, one)),
    ],
  };
}
