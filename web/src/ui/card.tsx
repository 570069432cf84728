import type { ReactNode } from "react";
import styles from "./card.module.css";

/** A white panel with a heading, its count, and one quiet action at the end of the head. */
export function Card({
  title,
  count,
  action,
  children,
}: {
  title: ReactNode;
  count?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.card}>
      <div className={styles.head}>
        <h2>
          {title}
          {count}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Labels above values. A fact without a value is left out. */
export function Facts({
  facts,
}: {
  facts: (readonly [label: ReactNode, value: ReactNode] | false)[];
}) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact, index) =>
        fact === false || fact[1] === null || fact[1] === undefined || fact[1] === "" ? null : (
          <div key={index}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export function Lines({ children }: { children: ReactNode }) {
  return <ul className={styles.lines}>{children}</ul>;
}

/** One line of a card: a face, a name that is a link, a quiet detail, and actions. */
export function Line({
  face,
  title,
  detail,
  children,
}: {
  face?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className={styles.line}>
      {face}
      <span className={styles.lineText}>
        <bdi className={styles.lineTitle}>{title}</bdi>
        {detail !== undefined && <span className={styles.lineDetail}>{detail}</span>}
      </span>
      {children}
    </li>
  );
}
