import { Trans } from "@lingui/react/macro";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import cardStyles from "./card.module.css";
import styles from "./form-card.module.css";
import { formatList } from "./format.ts";

/** An error in the summary. With `name` it is a link to the input of that name. */
export type SummaryLine = { name?: string | undefined; label?: string; words: ReactNode };

/** The input of a name, or what stands for a group of inputs. */
const inputOf = (form: HTMLElement | null, name: string): HTMLElement | null =>
  form?.querySelector<HTMLElement>(
    `[name="${CSS.escape(name)}"], [data-name="${CSS.escape(name)}"]`,
  ) ?? null;

/** Moves the focus to the input of a name, or to the first one of a group. */
export function focusInput(form: HTMLElement | null, name: string): void {
  const input = inputOf(form, name);
  const first = input?.querySelector<HTMLElement>("input, select, textarea, button");
  (first ?? input)?.focus();
}

/** The visible label of an input. */
export function labelOf(form: HTMLElement | null, name: string): string {
  const input = inputOf(form, name);
  if (input instanceof HTMLFieldSetElement) return input.querySelector("legend")?.textContent ?? "";
  const labels = (input as HTMLInputElement | null)?.labels;
  return labels?.[0]?.textContent ?? input?.getAttribute("aria-label") ?? "";
}

/** A value as its input words it: the option of a list, or the boxes of a group. Undefined for an input of text. */
export function wordsOf(
  form: HTMLElement | null,
  name: string,
  value: unknown,
): string | undefined {
  const input = inputOf(form, name);
  if (input instanceof HTMLSelectElement)
    return [...input.options].find((option) => option.value === value)?.label;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words = value.map(
    (one) =>
      input?.querySelector<HTMLInputElement>(`input[value="${CSS.escape(String(one))}"]`)
        ?.labels?.[0]?.textContent,
  );
  return words.every((word) => word !== undefined) ? formatList(words) : undefined;
}

/** The first input with an error, or the summary, so that the keyboard and the screen reader are where the work is. */
export function focusErrors(form: HTMLElement | null): void {
  const summary = form?.querySelector<HTMLElement>("[data-summary]");
  const invalid = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  (summary ?? invalid)?.focus();
}

/** What stands in the way, above the form. Several errors are links to their inputs. */
export function ErrorSummary({
  lines,
  form,
}: {
  lines: readonly SummaryLine[];
  form: RefObject<HTMLElement | null>;
}) {
  if (lines.length === 0) return null;
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} data-summary="">
      <ul>
        {lines.map(({ name, label, words }, index) => (
          <li key={`${name}-${index}`}>
            {name === undefined || !label ? (
              words
            ) : (
              <>
                <button
                  type="button"
                  className={styles.link}
                  onClick={() => inputOf(form.current, name)?.focus()}
                >
                  {label}
                </button>{" "}
                {words}
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * A card that is a form: fields, then Cancel and Save. In a dialog it has no heading and no border. Cancel is absent where
 * the form is the whole page.
 */
export function FormCard({
  title,
  formRef,
  summary,
  onSubmit,
  onCancel,
  isBusy,
  submit,
  reason,
  extra,
  isPlain = false,
  isFilled = true,
  children,
}: {
  title?: ReactNode;
  formRef: RefObject<HTMLFormElement | null>;
  summary: readonly SummaryLine[];
  onSubmit: () => void;
  onCancel?: (() => void) | undefined;
  isBusy: boolean;
  submit?: ReactNode;
  /** Says why the form cannot be sent yet. */
  reason?: string | undefined;
  /** A further button between Cancel and Save. */
  extra?: ReactNode;
  isPlain?: boolean;
  isFilled?: boolean;
  children: ReactNode;
}) {
  const previous = useRef(summary);
  useEffect(() => {
    if (summary !== previous.current) focusErrors(formRef.current);
    previous.current = summary;
  }, [summary, formRef]);
  useEffect(() => {
    // The button that opened the form is gone, and with it the focus.
    if (document.activeElement === document.body)
      formRef.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, [formRef]);
  return (
    <form
      ref={formRef}
      noValidate
      className={isPlain ? styles.plain : cardStyles.card}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        event.stopPropagation();
        if (!isBusy) onSubmit();
      }}
    >
      {title && (
        <div className={cardStyles.head}>
          <h2>{title}</h2>
        </div>
      )}
      <ErrorSummary lines={summary} form={formRef} />
      {/* Words that are typed while the form is sent would go down with it. */}
      <div className={styles.fields} inert={isBusy}>
        {children}
      </div>
      <div className={`${styles.buttons} ${isPlain ? "" : styles.foot}`}>
        {onCancel && (
          <Button onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        {extra}
        <Button type="submit" kind={isFilled ? "filled" : "plain"} busy={isBusy} reason={reason}>
          {submit ?? <Trans>Save</Trans>}
        </Button>
      </div>
    </form>
  );
}
