import { lazy, type ReactNode, Suspense } from "react";
import styles from "./field.module.css";

const ComboBoxes = lazy(() => import("./combos.tsx").then((late) => ({ default: late.LateCombo })));

/** A choice of a combobox. The detail stands below the words. */
export type Option = { id: string; label: string; detail?: string | undefined; face?: ReactNode };

export type ComboProps = {
  name: string;
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  value: Option | null;
  onChange: (value: Option | null) => void;
  /** The choices for a text. The next key cancels the search. */
  search: (text: string, signal: AbortSignal) => Promise<readonly Option[]>;
  /** The shortest text that is searched. With 0, the list opens with all choices. */
  minLength?: number;
  autoFocus?: boolean;
};

/** An input that finds one choice among many, such as a person. It arrives with React Aria. */
export function ComboField(props: ComboProps) {
  return (
    <Suspense
      fallback={
        <div className={styles.field}>
          <span className={styles.label}>{props.label}</span>
          <span className={styles.input} aria-busy="true" />
        </div>
      }
    >
      <ComboBoxes {...props} />
    </Suspense>
  );
}
