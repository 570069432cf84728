import { Trans } from "@lingui/react/macro";
import { useHolds } from "../app/may.ts";
import type { Question } from "../data/form-answers.ts";
import { CheckField } from "../ui/field.tsx";
import { Answer } from "./answer.tsx";
import styles from "./forms.module.css";
import { usePersonAttributes } from "./words.ts";

export type Change = { from: unknown; to: unknown };

/** The changes that the answers would make to the person. Only ticked ones are made. */
export function Changes({
  changes,
  questions,
  accepted,
  onAccept,
}: {
  changes: readonly (readonly [attribute: string, change: Change])[];
  questions: readonly Question[];
  accepted: ReadonlySet<string>;
  onAccept: (accepted: ReadonlySet<string>) => void;
}) {
  const { wordOf } = usePersonAttributes();
  const mayChange = useHolds("people:write");
  return (
    <fieldset className={styles.changes}>
      <legend>
        {mayChange ? (
          <Trans>Change at the person</Trans>
        ) : (
          <Trans>Differs from the record of the person</Trans>
        )}
      </legend>
      {changes.map(([attribute, { from, to }]) => {
        const question = questions.find((one) => one["maps-to"] === attribute);
        const words = (
          <>
            <small>{wordOf(attribute)}</small>
            <span>
              {from !== null && from !== undefined && (
                <>
                  <del>
                    <Answer question={question && { ...question, type: "text" }} value={from} />
                  </del>{" "}
                </>
              )}
              <Answer question={question && { ...question, type: "text" }} value={to} />
            </span>
          </>
        );
        return mayChange ? (
          <CheckField
            key={attribute}
            label={<span className={styles.change}>{words}</span>}
            checked={accepted.has(attribute)}
            onChange={({ currentTarget: { checked } }) =>
              onAccept(
                new Set(
                  checked
                    ? [...accepted, attribute]
                    : [...accepted].filter((one) => one !== attribute),
                ),
              )
            }
          />
        ) : (
          <p key={attribute} className={styles.change}>
            {words}
          </p>
        );
      })}
    </fieldset>
  );
}
