import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useCellWords } from "../records/cell-words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CheckField } from "../ui/field.tsx";
import { PanelFoot } from "../ui/filter-bar.tsx";
import type { ColumnsChoice } from "./tools.tsx";
import styles from "./list.module.css";

/** Which columns stand in the table, and in which order. */
export default function ColumnsPanel({
  all,
  chosen,
  onChoose,
  onReset,
  onClose,
}: ColumnsChoice & { onClose?: () => void }) {
  const { t } = useLingui();
  const [name] = all;
  const ids = chosen.filter(({ id }) => id !== name?.id).map(({ id }) => id);
  const others = all.filter(({ id }) => id !== name?.id && !ids.includes(id));
  const swap = (at: number, other: number) => {
    const next = [...ids];
    [next[at], next[other]] = [next[other] ?? "", next[at] ?? ""];
    onChoose(next);
  };
  return (
    <div className={styles.columns}>
      <ul>
        {ids.map((id, at) => {
          const label = all.find((column) => column.id === id)?.header ?? id;
          return (
            <li key={id} className={styles.column}>
              <CheckField
                label={label}
                checked
                onChange={() => onChoose(ids.filter((one) => one !== id))}
              />
              <IconButton
                label={t`Move ${label} up`}
                icon={<ArrowUp size={15} />}
                disabled={at === 0}
                onClick={() => swap(at, at - 1)}
              />
              <IconButton
                label={t`Move ${label} down`}
                icon={<ArrowDown size={15} />}
                disabled={at === ids.length - 1}
                onClick={() => swap(at, at + 1)}
              />
            </li>
          );
        })}
        {others.map(({ id, header }) => (
          <li key={id} className={styles.column}>
            <CheckField label={header} checked={false} onChange={() => onChoose([...ids, id])} />
          </li>
        ))}
      </ul>
      <PanelFoot>
        <Button kind="quiet" onClick={onReset}>
          <Trans>Usual columns and widths</Trans>
        </Button>
        {onClose && (
          <Button kind="filled" onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        )}
      </PanelFoot>
    </div>
  );
}

/** The same choice on a phone, where the rows have no columns. */
export function ColumnsSheet({ onClose, ...choice }: ColumnsChoice & { onClose: () => void }) {
  const { one: cellWord } = useCellWords();
  return (
    <Dialog title={<Trans>Columns</Trans>} onClose={onClose} isFullOnPhones>
      <p>
        <Trans>
          The CSV file and the print have these columns in this order. On the phone, each row shows
          “{cellWord}” and the columns that you add.
        </Trans>
      </p>
      <ColumnsPanel {...choice} onClose={onClose} />
    </Dialog>
  );
}
