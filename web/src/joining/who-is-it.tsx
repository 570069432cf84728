import { Trans, useLingui } from "@lingui/react/macro";
import { type ReactNode, useId } from "react";
import type { PersonPhone } from "@vestry/sdk";
import { PersonCombo } from "../records/person-combo.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Ltr } from "../ui/text.tsx";
import styles from "./joining.module.css";

/** Somebody in the church, a new person, or somebody who is still searched. */
export type Who = { id: string; name: string } | "new" | "search";

export type Suggested = {
  id: string;
  "full-name": string;
  "photo-url"?: string | null;
  email?: string | null;
  phones?: readonly PersonPhone[];
};

/** The person behind a request: those who look the same first, then a new record, then anybody else. */
export function WhoIsIt({
  suggested,
  nobody,
  value,
  onChange,
}: {
  suggested: readonly Suggested[];
  /** The words for no person of the church: a new one is made, or none is linked. */
  nobody: ReactNode;
  value: Who;
  onChange: (who: Who) => void;
}) {
  const { t } = useLingui();
  const name = useId();
  const chosenId = typeof value === "object" ? value.id : undefined;
  const isSuggested = suggested.some(({ id }) => id === chosenId);
  const isSearching = value !== "new" && !isSuggested;
  return (
    <fieldset className={styles.who}>
      <legend>
        <Trans>Who is it?</Trans>
      </legend>
      {suggested.map((person) => (
        <label key={person.id} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={chosenId === person.id}
            onChange={() => onChange({ id: person.id, name: person["full-name"] })}
          />
          <Avatar name={person["full-name"]} photo={person["photo-url"]} />
          <span>
            <bdi>{person["full-name"]}</bdi>
            <small>
              {[person.phones?.[0]?.display, person.email].filter(Boolean).map((one, at) => (
                <span key={one}>
                  {at > 0 && " · "}
                  <Ltr>{one}</Ltr>
                </span>
              ))}
            </small>
          </span>
        </label>
      ))}
      <label className={styles.choice}>
        <input
          type="radio"
          name={name}
          checked={value === "new"}
          onChange={() => onChange("new")}
        />
        <span>{nobody}</span>
      </label>
      <label className={styles.choice}>
        <input type="radio" name={name} checked={isSearching} onChange={() => onChange("search")} />
        <span>{t`Somebody else in the church`}</span>
      </label>
      {isSearching && (
        <PersonCombo
          name="person"
          label={t`Person`}
          value={chosenId ?? null}
          onChange={(id, person) => onChange(id ? { id, name: person?.label ?? "" } : "search")}
          autoFocus
        />
      )}
    </fieldset>
  );
}
