import { Check, Circle, CircleDot, X } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./stepper.module.css";

export type Step = {
  id: string;
  title: ReactNode;
  detail?: ReactNode;
  state: "done" | "now" | "failed" | "later";
  /** The state in words, for readers who see no icon. */
  words: string;
};

const icons = {
  done: <Check size={16} />,
  now: <CircleDot size={16} />,
  failed: <X size={16} />,
  later: <Circle size={16} />,
};

/** The steps of something that happens by itself, one below the other. */
export const Stepper = ({ label, steps }: { label: string; steps: readonly Step[] }) => (
  <ol className={styles.steps} aria-label={label}>
    {steps.map(({ detail, id, state, title, words }) => (
      <li key={id} className={styles.step} aria-current={state === "now" ? "step" : undefined}>
        <span className={`${styles.mark} ${styles[state]}`} role="img" aria-label={words}>
          {icons[state]}
        </span>
        <span className={styles.text}>
          <span className={styles.title}>{title}</span>
          {detail && <span className={styles.detail}>{detail}</span>}
        </span>
      </li>
    ))}
  </ol>
);
