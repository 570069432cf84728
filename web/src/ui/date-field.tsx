import { useLingui } from "@lingui/react/macro";
import { type ReactNode, useMemo, useState } from "react";
import styles from "./compound.module.css";
import { Group } from "./field.tsx";
import fieldStyles from "./field.module.css";
import { formatLocale } from "./format.ts";

type Parts = { year: string; month: string; day: string };

const NO_PARTS: Parts = { year: "", month: "", day: "" };

/** The parts of 1984-05-17 or of 05-17. */
function partsOf(value: string | null | undefined): Parts {
  if (!value) return NO_PARTS;
  const [day = "", month = "", year = ""] = value.split("-").reverse();
  return { year, month, day: day.replace(/^0/, "") };
}

/** The parts together. Incomplete ones stay as they are, and the service says that they are no date. */
const dayOfYear = ({ month, day }: Parts) =>
  month === "" && day === "" ? null : `${month}-${day === "" ? "" : day.padStart(2, "0")}`;

const dateOf = (parts: Parts): string | null =>
  parts.year === "" && dayOfYear(parts) === null
    ? null
    : `${parts.year}-${dayOfYear(parts) ?? "-"}`;

/** The order of day, month and year where the reader lives. */
const partOrder = (): (keyof Parts)[] =>
  new Intl.DateTimeFormat(formatLocale(), { day: "numeric", month: "long", year: "numeric" })
    .formatToParts(0)
    .flatMap(({ type }) => (type === "day" || type === "month" || type === "year" ? [type] : []));

function DateParts({
  name,
  label,
  help,
  error,
  start,
  onChange,
}: {
  name: string;
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  start: Parts;
  onChange: (parts: Parts) => void;
}) {
  const { t } = useLingui();
  const [parts, setParts] = useState(start);
  const [order, months] = useMemo(() => {
    const month = new Intl.DateTimeFormat(formatLocale(), { month: "long", timeZone: "UTC" });
    const names = Array.from({ length: 12 }, (_, index) => month.format(Date.UTC(2024, index, 1)));
    return [partOrder(), names];
  }, []);
  const change = (part: keyof Parts, text: string) => {
    const next = { ...parts, [part]: text };
    setParts(next);
    onChange(next);
  };
  const isInvalid = error ? true : undefined;
  return (
    <Group name={name} label={label} help={help} error={error}>
      <div className={styles.row}>
        {order.map((part) =>
          part === "month" ? (
            <select
              key={part}
              className={`${fieldStyles.input} ${styles.month}`}
              aria-label={t`Month`}
              aria-invalid={isInvalid}
              name={`${name}.month`}
              value={parts.month}
              onChange={({ currentTarget }) => change("month", currentTarget.value)}
            >
              <option value="">{t`Month`}</option>
              {months.map((word, index) => (
                <option key={word} value={String(index + 1).padStart(2, "0")}>
                  {word}
                </option>
              ))}
            </select>
          ) : (
            <input
              key={part}
              className={`${fieldStyles.input} ${part === "day" ? styles.day : styles.year}`}
              aria-label={part === "day" ? t`Day` : t`Year`}
              placeholder={part === "day" ? t`Day` : t`Year`}
              aria-invalid={isInvalid}
              name={`${name}.${part}`}
              inputMode="numeric"
              autoComplete="off"
              maxLength={part === "day" ? 2 : 4}
              value={parts[part]}
              onChange={({ currentTarget }) => change(part, currentTarget.value.trim())}
            />
          ),
        )}
      </div>
    </Group>
  );
}

type DateProps = {
  name: string;
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  value: string | null | undefined;
  onChange: (value: string | null) => void;
};

/** A wall date, in three parts in the order of the reader. */
export const DateField = ({ value, onChange, ...rest }: DateProps) => (
  <DateParts {...rest} start={partsOf(value)} onChange={(parts) => onChange(dateOf(parts))} />
);

/** A birthday, of which the year may be unknown. The service derives the day of the year from a date. */
export const BirthdayField = ({
  value,
  monthDay,
  onChange,
  ...rest
}: Omit<DateProps, "onChange"> & {
  monthDay: string | null | undefined;
  onChange: (date: string | null, monthDay: string | null) => void;
}) => (
  <DateParts
    {...rest}
    start={partsOf(value ?? monthDay)}
    onChange={(parts) =>
      parts.year === "" ? onChange(null, dayOfYear(parts)) : onChange(dateOf(parts), null)
    }
  />
);
