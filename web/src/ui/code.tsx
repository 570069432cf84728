import type { ReactNode } from "react";
import styles from "./code.module.css";

/** A text of a program, as it is. It scrolls by itself, and is never read as HTML. */
export const Code = ({ label, children }: { label: string; children: string }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable by the keyboard.
  <pre className={styles.code} dir="ltr" tabIndex={0} role="region" aria-label={label}>
    {children}
  </pre>
);

const DEPTH_OPEN = 2;

/** A value of JSON. Objects and lists fold, and those far inside begin folded. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- As above.
  <div className={styles.code} dir="ltr" tabIndex={0} role="region" aria-label={label}>
    <Node value={value} depth={0} />
  </div>
);

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }): ReactNode {
  const key = name === undefined ? "" : `${JSON.stringify(name)}: `;
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return (
      <div className={styles.leaf}>
        {key}
        {JSON.stringify(value)}
      </div>
    );
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [opens, closes] = isList ? ["[", "]"] : ["{", "}"];
  return (
    <details className={styles.node} open={depth <= DEPTH_OPEN}>
      <summary>
        {key}
        {opens}
        <span className={styles.quiet}>
          {" "}
          {entries.length} {closes}
        </span>
      </summary>
      {entries.map(([member, one]) => (
        <Node key={member} {...(!isList && { name: member })} value={one} depth={depth + 1} />
      ))}
    </details>
  );
}
