import type { ReactNode } from "react";
import styles from "./tiles.module.css";

/** Figures of one period side by side, each with its unit and its meaning. */
export const Tiles = ({
  tiles,
  children,
}: {
  tiles: readonly (readonly [meaning: ReactNode, figure: ReactNode, unit?: ReactNode])[];
  /** What stands below the figures, such as a chart of the same period. */
  children?: ReactNode;
}) => (
  <div className={styles.frame}>
    <dl className={styles.tiles}>
      {tiles.map(([meaning, figure, unit], index) => (
        <div key={index} className={styles.tile}>
          <dt>{meaning}</dt>
          <dd>
            {figure}
            {unit && <small> {unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
    {children}
  </div>
);
