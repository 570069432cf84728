import { useLingui } from "@lingui/react/macro";
import { Search } from "lucide-react";
import { useLayoutEffect, useState } from "react";
import { closeOver } from "./opened.ts";
import styles from "./palette.module.css";

/** The letters that were typed before the palette was there, and the element that had the focus before. */
type Waited = { text: string; opener: Element | null };
let waited: Waited | undefined;

/** The palette takes the letters over, once. */
export function takeWaited(): Waited | undefined {
  const taken = waited;
  waited = undefined;
  return taken;
}

/** A plain input takes the first letters while the script of the palette loads. */
export function PaletteWait() {
  const { t } = useLingui();
  const [opener] = useState(() => document.activeElement);
  // Another opening of the palette begins without letters.
  useLayoutEffect(() => void (waited = { text: "", opener }), [opener]);
  return (
    <div className={styles.backdrop}>
      <div className={styles.modal}>
        <div role="dialog" aria-label={t`Find anything`} className={styles.dialog}>
          <div className={styles.search}>
            <Search size={18} />
            <input
              autoFocus
              autoComplete="off"
              className={styles.input}
              aria-label={t`Find anything`}
              placeholder={t`Name, group or action`}
              onChange={({ currentTarget: { value } }) => (waited = { text: value, opener })}
              onKeyDown={({ key }) => key === "Escape" && closeOver()}
            />
          </div>
        </div>
      </div>
    </div>
  );
}
