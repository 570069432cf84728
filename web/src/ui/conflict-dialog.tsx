import { Trans, useLingui } from "@lingui/react/macro";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import styles from "./form-card.module.css";
import { formatDate, formatNumber } from "./format.ts";

/** Two people changed the same values. Theirs are chosen unless the reader prefers their own. */
export function ConflictDialog({
  conflicts,
  labelOf,
  showValue,
  onDecide,
  onClose,
}: {
  conflicts: readonly { name: string; mine: unknown; theirs: unknown }[];
  labelOf: (name: string) => string;
  showValue?: ((name: string, value: unknown) => ReactNode) | undefined;
  onDecide: (isMine: (name: string) => boolean) => void;
  onClose: () => void;
}) {
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isMine: boolean) => {
    const next = new Set(mine);
    if (isMine) next.add(name);
    else next.delete(name);
    setMine(next);
  };
  const shown = (name: string, value: unknown) =>
    showValue?.(name, value) ?? <PlainValue value={value} />;
  return (
    <Dialog title={<Trans>A colleague changed this, too</Trans>} onClose={onClose} isAlert>
      <p>
        <Trans>You and a colleague changed the same values. Choose which of them stay.</Trans>
      </p>
      {conflicts.map(({ name, mine: my, theirs }) => (
        <fieldset key={name} className={styles.choice}>
          <legend>{labelOf(name) || name}</legend>
          <label>
            <input
              type="radio"
              name={`conflict-${name}`}
              checked={!mine.has(name)}
              onChange={() => choose(name, false)}
            />
            <span>
              {shown(name, theirs)}{" "}
              <small>
                <Trans>your colleague's</Trans>
              </small>
            </span>
          </label>
          <label>
            <input
              type="radio"
              name={`conflict-${name}`}
              checked={mine.has(name)}
              onChange={() => choose(name, true)}
            />
            <span>
              {shown(name, my)}{" "}
              <small>
                <Trans>yours</Trans>
              </small>
            </span>
          </label>
        </fieldset>
      ))}
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Back to the form</Trans>
        </Button>
        <Button kind="filled" onClick={() => onDecide((name) => mine.has(name))}>
          <Trans>Save</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** A value of JSON as text: the texts in it, in their order. */
function PlainValue({ value }: { value: unknown }) {
  const { t } = useLingui();
  const words = textsIn(value, { yes: t`yes`, no: t`no` });
  return words.length === 0 ? <Trans>empty</Trans> : <bdi>{words.join(" · ")}</bdi>;
}

function textsIn(value: unknown, words: { yes: string; no: string }): string[] {
  if (value === null || value === undefined || value === "") return [];
  if (typeof value === "boolean") return [value ? words.yes : words.no];
  if (typeof value === "number") return [formatNumber(value)];
  if (typeof value === "string")
    return [/^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value, "long") : value];
  return Object.entries(value).flatMap(([name, one]) =>
    // A mark of an entry says nothing without its name.
    typeof one === "boolean" || name.startsWith("$") ? [] : textsIn(one, words),
  );
}
