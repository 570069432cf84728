import { Trans, useLingui } from "@lingui/react/macro";
import { ListFilter, Search, X } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import styles from "./filter-bar.module.css";
import { formatNumber } from "./format.ts";
import { useIsPhone } from "./media.ts";
import { PopoverButton } from "./popover.tsx";

const PAUSE_MS = 200;

/** Searches a short while after the last key. The text in the address wins when it changes by itself. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const search = (next: string) => {
    clearTimeout(timer.current);
    sent.current = next;
    onSearch(next);
  };
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        search(text.trim());
      }}
    >
      <Search size={17} aria-hidden="true" />
      <input
        type="search"
        maxLength={255}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(search, PAUSE_MS, target.value.trim());
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

export type FilterChip = { id: string; words: string; onRemove: () => void };

/** The filters that are set. Each chip is a button that removes its filter. */
export function FilterChips({ chips, onClear }: { chips: FilterChip[]; onClear: () => void }) {
  const { t } = useLingui();
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t`Filters`}>
      {chips.map(({ id, words, onRemove }) => (
        <li key={id}>
          <button type="button" className={styles.chip} onClick={onRemove} title={words}>
            <bdi>{words}</bdi>
            <X size={14} aria-hidden="true" />
            <span className="visually-hidden">
              <Trans>Remove this filter</Trans>
            </span>
          </button>
        </li>
      ))}
      <li>
        <Button kind="quiet" onClick={onClear}>
          <Trans>Clear all</Trans>
        </Button>
      </li>
    </ul>
  );
}

/** A popover on desktop, and a sheet with the whole screen on phones. Changes apply at once. */
export function FilterButton({
  count,
  show,
  onClear,
  children,
}: {
  count: number;
  /** "Show 223 people", the button that closes the sheet. */
  show: string;
  onClear: () => void;
  /** The groups of filters. They can arrive late. */
  children: ReactNode;
}) {
  const { t } = useLingui();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const number = formatNumber(count);
  const label = count === 0 ? t`Filter` : t`Filter, ${number} set`;
  const icon = (
    <>
      <ListFilter size={17} aria-hidden="true" />
      {count > 0 && (
        <span className={styles.badge} aria-hidden="true">
          {number}
        </span>
      )}
    </>
  );
  const words = <span className={styles.words}>{t`Filter`}</span>;
  const body = (
    <div className={styles.groups}>
      <Suspense>{children}</Suspense>
    </div>
  );
  const clear = count > 0 && (
    <Button kind="quiet" onClick={onClear}>
      <Trans>Clear all</Trans>
    </Button>
  );
  if (!isPhone)
    return (
      <span className={styles.anchor}>
        <PopoverButton trigger={{ label, icon, "aria-label": label, children: words }}>
          {(close) => (
            <div className={styles.panel}>
              {body}
              <PanelFoot>
                {clear}
                <Button onClick={close}>{show}</Button>
              </PanelFoot>
            </div>
          )}
        </PopoverButton>
      </span>
    );
  return (
    <span className={styles.anchor}>
      <Button
        icon={icon}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {words}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={t`Filter`} isFullOnPhones>
        {body}
        <PanelFoot>
          {clear}
          <Button kind="filled" onClick={() => setOpen(false)}>
            {show}
          </Button>
        </PanelFoot>
      </Dialog>
    </span>
  );
}

/** The buttons at the end of a long panel, which stay in sight. */
export const PanelFoot = ({ children }: { children: ReactNode }) => (
  <div className={styles.foot}>{children}</div>
);

/** The search and the buttons beside it in one row. */
export const FilterRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.bar}>{children}</div>
);
