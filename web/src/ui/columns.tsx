import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./columns.module.css";
import { formatNumber } from "./format.ts";

type Tone = "good" | "warn" | "bad";

export type ColumnOfParts = {
  id: string;
  label: string;
  /** In the order of `parts`. */
  values: readonly number[];
  /** What the column opens. */
  link?: LinkProps;
};

/** On phones the columns scroll, and the newest stands last. */
function showEnd(list: HTMLElement | null): void {
  if (list === null) return;
  const isToLeft = getComputedStyle(list).direction === "rtl";
  list.scrollLeft = isToLeft ? -list.scrollWidth : list.scrollWidth;
}

/** A chart of columns that are made of parts, with its legend, its sum in words and a table. A column with a value is a link. */
export function Columns({
  summary,
  unit,
  asTable,
  parts,
  columns,
}: {
  summary: string;
  /** The head of the first column of the table. */
  unit: string;
  /** The words that open the table. */
  asTable: ReactNode;
  parts: readonly (readonly [label: string, tone: Tone])[];
  columns: readonly ColumnOfParts[];
}) {
  const sumOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);
  const most = Math.max(1, ...columns.map(({ values }) => sumOf(values)));
  const inWords = ({ label, values }: ColumnOfParts) =>
    `${label}: ${parts
      .flatMap(([words], at) => (values[at] ? [`${formatNumber(values[at])} ${words}`] : []))
      .join(", ")}`;
  return (
    <figure className={styles.figure}>
      <figcaption className="visually-hidden">{summary}</figcaption>
      <ol
        ref={showEnd}
        className={styles.columns}
        data-linked={columns.some(({ values }) => sumOf(values) > 0) || undefined}
      >
        {columns.map((column) => {
          const { id, link, values } = column;
          const bars = parts.map(
            ([, tone], at) =>
              Boolean(values[at]) && (
                <span
                  key={tone}
                  className={`${styles.part} ${styles[tone]}`}
                  style={{ blockSize: `${((values[at] ?? 0) / most) * 100}%` }}
                />
              ),
          );
          return (
            <li key={id}>
              {link && sumOf(values) > 0 && (
                <Link
                  {...link}
                  className={styles.column}
                  aria-label={inWords(column)}
                  title={inWords(column)}
                  resetScroll={false}
                >
                  {bars}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
      <div className={styles.ends}>
        <span>{columns[0]?.label}</span>
        <span>{columns.at(-1)?.label}</span>
      </div>
      <div className={styles.legend}>
        {parts.map(([words, tone]) => (
          <span key={tone}>
            <i className={`${styles.key} ${styles[tone]}`} aria-hidden="true" />
            {words}
          </span>
        ))}
      </div>
      <details>
        <summary>{asTable}</summary>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              {parts.map(([words]) => (
                <th key={words} scope="col">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns
              .filter(({ values }) => sumOf(values) > 0)
              .map(({ id, label, values }) => (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  {values.map((value, at) => (
                    <td key={at}>{formatNumber(value)}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
