/** The combobox of React Aria. This chunk arrives with the first form that needs one. */
import { Trans, useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import {
  ComboBox,
  FieldError,
  I18nProvider,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from "react-aria-components";
import type { ComboProps, Option } from "./combo-field.tsx";
import styles from "./compound.module.css";
import fieldStyles from "./field.module.css";
import { formatLocale } from "./format.ts";

const PAUSE_MS = 150;

export function LateCombo({
  name,
  label,
  help,
  error,
  value,
  onChange,
  search,
  minLength = 2,
  autoFocus = false,
}: ComboProps) {
  const { t } = useLingui();
  const [text, setText] = useState(value?.label ?? "");
  const [found, setFound] = useState<{ text: string; options: readonly Option[] }>();
  const isSearched = text.trim().length >= minLength && text !== value?.label;
  useEffect(() => {
    if (!isSearched) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      search(text.trim(), stop.signal).then(
        (options) => setFound({ text, options }),
        () => stop.signal.aborted || setFound({ text, options: [] }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The caller makes a new function for every render.
  }, [text, isSearched]);
  const matches = (isSearched && found?.options) || [];
  // React Aria empties the input if the chosen one is not among the choices.
  const options =
    value && matches.every(({ id }) => id !== value.id) ? [...matches, value] : matches;
  const latest = useRef(value);
  const [id, words] = [value?.id, value?.label];
  useEffect(() => {
    latest.current = id === undefined || words === undefined ? null : { id, label: words };
    if (words !== undefined) setText(words);
  }, [id, words]);
  const choose = (option: Option | null) => {
    latest.current = option;
    onChange(option);
  };
  return (
    <I18nProvider locale={formatLocale()}>
      <ComboBox
        className={fieldStyles.field}
        items={options}
        inputValue={text}
        onInputChange={(next) => {
          setText(next);
          if (next === "") choose(null);
        }}
        selectedKey={value?.id ?? null}
        onSelectionChange={(key) => {
          const chosen = options.find(({ id }) => id === key);
          if (!chosen) return;
          setText(chosen.label);
          choose(chosen);
        }}
        // A text without a choice must not look like one.
        onBlur={() => setText(latest.current?.label ?? "")}
        menuTrigger={minLength === 0 ? "focus" : "input"}
        allowsEmptyCollection
        isInvalid={Boolean(error)}
        validationBehavior="aria"
        autoFocus={autoFocus}
      >
        <Label className={fieldStyles.label}>{label}</Label>
        <div className={styles.combo}>
          <Input className={fieldStyles.input} name={name} autoComplete="off" />
          {value && (
            <button
              type="button"
              aria-label={t`Clear`}
              title={t`Clear`}
              onClick={() => {
                setText("");
                choose(null);
              }}
            >
              <X size={16} />
            </button>
          )}
        </div>
        {help && (
          <Text slot="description" className={fieldStyles.help}>
            {help}
          </Text>
        )}
        <FieldError className={fieldStyles.error}>{error}</FieldError>
        <Popover className={styles.list}>
          <ListBox<Option>
            className={styles.choices}
            renderEmptyState={() => (
              <p className={styles.none}>
                {isSearched && found?.text === text ? (
                  <Trans>Nobody and nothing matches.</Trans>
                ) : (
                  <Trans>Keep typing …</Trans>
                )}
              </p>
            )}
          >
            {({ id, label: words, detail, face }) => (
              <ListBoxItem id={id} textValue={words} className={styles.choice}>
                {face}
                <span>
                  <bdi>{words}</bdi>
                  {detail && <small>{detail}</small>}
                </span>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </I18nProvider>
  );
}
