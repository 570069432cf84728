import styles from "./bars.module.css";
import { formatNumber } from "./format.ts";
import { VisuallyHidden } from "./text.tsx";

export type Bar = {
  id: string;
  label: string;
  value: number;
  /** The period is not over. */
  isRunning?: boolean;
};

/** A chart of a few values on a linear scale, with its sum in words and a table inside. */
export function Bars({
  summary,
  columns,
  bars,
}: {
  summary: string;
  columns: readonly [label: string, value: string];
  bars: readonly Bar[];
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure className={styles.figure}>
      <div className={styles.bars} role="img" aria-label={summary}>
        {bars.map(({ id, label, value, isRunning }) => (
          <div
            key={id}
            className={`${styles.bar} ${isRunning ? styles.running : ""}`}
            style={{ blockSize: `${(value / most) * 100}%` }}
          >
            <span className={styles.value}>{formatNumber(value)}</span>
            <span className={styles.label}>{label}</span>
          </div>
        ))}
      </div>
      <VisuallyHidden>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ id, label, value }) => (
              <tr key={id}>
                <th scope="row">{label}</th>
                <td>{formatNumber(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
