import { useLingui } from "@lingui/react/macro";
import { AddressText, type AddressValue } from "../ui/address-field.tsx";
import { formatDate, formatList, formatNumber } from "../ui/format.ts";
import { Ltr } from "../ui/text.tsx";
import type { Question } from "../data/form-answers.ts";
import styles from "./forms.module.css";

/** An answer in words, or a value of a person that an answer would change. Null if there is none. */
export function Answer({ question, value }: { question: Question | undefined; value: unknown }) {
  const { t } = useLingui();
  const word = (one: unknown): string =>
    question?.options?.find((option) => option.value === one)?.label ??
    (typeof one === "string" ? one : JSON.stringify(one));
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? t`yes` : t`no`;
  if (typeof value === "number") return formatNumber(value, { maximumFractionDigits: 10 });
  if (Array.isArray(value)) return <bdi>{formatList(value.map(word))}</bdi>;
  if (typeof value === "object") return <AddressText address={value as AddressValue} />;
  const text = word(value);
  switch (question?.type) {
    case "date":
      return formatDate(text, "long");
    case "email":
      return (
        <a href={`mailto:${text}`}>
          <Ltr>{text}</Ltr>
        </a>
      );
    case "phone":
      return (
        <a href={`tel:${text}`}>
          <Ltr>{text}</Ltr>
        </a>
      );
    default:
      return <bdi className={styles.lines}>{text}</bdi>;
  }
}
