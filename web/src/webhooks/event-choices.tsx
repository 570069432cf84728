import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { WebhookEventTypeResource } from "@vestry/sdk";
import { type ReactNode, useState } from "react";
import { eventTypesOptions } from "../data/webhooks.ts";
import { Chip } from "../ui/chip.tsx";
import { Json } from "../ui/code.tsx";
import { CheckField, Group, TextField } from "../ui/field.tsx";
import { contains } from "../ui/names.ts";
import { Skeleton } from "../ui/states.tsx";
import styles from "./webhooks.module.css";
import { personalWords } from "./words.ts";

const groupOf = (id: string): string => id.split(".")[0] ?? id;

/** The catalog to choose from, by the records that the events are about. */
export function EventChoices({
  name,
  value,
  onChange,
  error,
}: {
  name: string;
  value: readonly string[];
  onChange: (types: readonly string[]) => void;
  error?: ReactNode;
}) {
  const { t } = useLingui();
  const { data: types } = useQuery(eventTypesOptions);
  const [text, setText] = useState("");
  if (types === undefined) return <Skeleton height={300} />;
  const found = types.filter(
    ({ description, id }) => contains(id, text) || contains(description, text),
  );
  const set = (id: string, isChosen: boolean) =>
    onChange(
      types.map((one) => one.id).filter((one) => (one === id ? isChosen : value.includes(one))),
    );
  return (
    <Group name={name} label={t`Events`} error={error}>
      <TextField
        label={t`Search the catalog`}
        name="search"
        type="search"
        value={text}
        autoComplete="off"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p className={styles.quiet} role="status">
        <Trans>
          {value.length} of {types.length} chosen
        </Trans>
      </p>
      {[...Map.groupBy(found, ({ id }) => groupOf(id))].map(([group, ofGroup]) => (
        <div key={group} className={styles.types}>
          <h2 dir="ltr">{group}</h2>
          {ofGroup.map((type) => (
            <div key={type.id} className={styles.type}>
              <CheckField
                name={`${name}.${type.id}`}
                checked={value.includes(type.id)}
                onChange={({ currentTarget: { checked } }) => set(type.id, checked)}
                label={<code dir="ltr">{type.id}</code>}
              />
              <AboutType type={type} />
            </div>
          ))}
        </div>
      ))}
    </Group>
  );
}

/** What an event of a type means, which personal data it has, and an example. */
export function AboutType({ type }: { type: WebhookEventTypeResource }) {
  const { t, i18n } = useLingui();
  // The catalog has many examples, and readers open few.
  const [isOpen, setOpen] = useState(false);
  const level = type["personal-data-level"];
  return (
    <>
      <p className={styles.about}>
        <span lang="en">{type.description}</span>{" "}
        {level === "details" ? (
          <Chip tone="warn">{i18n._(personalWords[level])}</Chip>
        ) : (
          <span>({i18n._(personalWords[level])})</span>
        )}{" "}
        {!type["is-captured"] && <Trans>This version does not send it yet.</Trans>}
      </p>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Trans>Example</Trans>
        </summary>
        {isOpen && <Json label={t`Example of ${type.id}`} value={type.example} />}
      </details>
    </>
  );
}
