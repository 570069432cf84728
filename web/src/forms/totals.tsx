import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { CSSProperties, ReactNode } from "react";
import { Failure } from "../app/failure.tsx";
import type { Question } from "../data/form-answers.ts";
import { type FormRecord, formTotalsOptions, questionsOf } from "../data/forms.ts";
import { Card, Facts } from "../ui/card.tsx";
import { FilterRow } from "../ui/filter-bar.tsx";
import { formatNumber } from "../ui/format.ts";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import styles from "./forms.module.css";
import { useSources } from "./words.ts";

/** The answers in numbers: how often each choice was taken, and the sums. */
export function Totals({ form, children }: { form: FormRecord; children: ReactNode }) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(formTotalsOptions(form.id));
  const sources = useSources();
  const questions = new Map(questionsOf(form).map((question) => [question.key, question]));
  const totals = (data?.fields ?? []).flatMap((one) => {
    const question = questions.get(one.key);
    return question ? [{ ...one, question }] : [];
  });
  const bySource = Object.entries(data?.sources ?? {});
  return (
    <>
      <FilterRow>{children}</FilterRow>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={200} />}
      {data && bySource.length === 0 && (
        <EmptyState title={<Trans>Nothing was sent yet</Trans>}>
          <Trans>Spam and declined answers do not count.</Trans>
        </EmptyState>
      )}
      {bySource.length > 0 && (
        <div className={styles.totals}>
          {totals.map(({ question, answered, counts, sum }) => (
            <Card key={question.key} title={<bdi>{question.label}</bdi>}>
              {counts ? (
                <Counts
                  counts={choicesOf(question, counts, { true: t`yes`, false: t`no` })}
                  of={answered}
                />
              ) : (
                <Facts
                  facts={[
                    [t`Sum`, formatNumber(sum ?? 0, { maximumFractionDigits: 2 })],
                    [
                      t`Average`,
                      answered > 0 &&
                        formatNumber((sum ?? 0) / answered, { maximumFractionDigits: 2 }),
                    ],
                  ]}
                />
              )}
              <p className={styles.quiet}>
                <Plural value={answered} one="# answer" other="# answers" />
              </p>
            </Card>
          ))}
          <Card title={<Trans>Sent</Trans>}>
            <Counts
              counts={bySource.map(([source, count]) => ({
                label: sources[source as keyof typeof sources] ?? source,
                count,
              }))}
              of={bySource.reduce((sum, [, count]) => sum + count, 0)}
            />
            <p className={styles.quiet}>
              <Trans>Spam and declined answers do not count.</Trans>
            </p>
          </Card>
        </div>
      )}
    </>
  );
}

type Count = { label: string; count: number };

/** All choices in the order of the form, also those that nobody took, and then those that the form no longer has. */
function choicesOf(
  { options, type }: Question,
  counts: readonly { value: string; count: number }[],
  words: Readonly<Record<"true" | "false", string>>,
): Count[] {
  const given = new Map(counts.map(({ value, count }) => [value, count]));
  const known =
    type === "boolean" || type === "consent"
      ? (["true", "false"] as const).map((value) => ({ value, label: words[value] }))
      : (options ?? []);
  const gone = counts.filter(({ value }) => !known.some((one) => one.value === value));
  return [
    ...known.map(({ value, label }) => ({ label, count: given.get(value) ?? 0 })),
    ...gone.map(({ value, count }) => ({ label: value, count })),
  ];
}

/** Rows with their share of all who answered, which several choices can exceed together. */
function Counts({ counts, of }: { counts: readonly Count[]; of: number }) {
  return (
    <table className={styles.counts}>
      <tbody>
        {counts.map(({ label, count }) => {
          const share = of === 0 ? 0 : count / of;
          return (
            <tr key={label}>
              <th scope="row">
                <bdi>{label}</bdi>
              </th>
              <td>{formatNumber(count)}</td>
              <td className={styles.share}>
                <span style={{ "--share": share } as CSSProperties} />
                <small>{formatNumber(share, { style: "percent" })}</small>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
