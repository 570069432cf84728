import { Trans, useLingui } from "@lingui/react/macro";
import { anonymizePerson, type PersonRecord } from "../data/person.ts";
import { TypedNameDialog } from "./typed-name-dialog.tsx";

/** Removes everything that tells who the person is. The record stays as an entry without a name. */
export function AnonymizePerson({
  person,
  onClose,
}: {
  person: PersonRecord;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const name = person["full-name"];
  const shown = <bdi>{name}</bdi>;
  return (
    <TypedNameDialog
      person={person}
      title={<Trans>Anonymize this person?</Trans>}
      action={<Trans>Anonymize for good</Trans>}
      send={(idempotencyKey) => anonymizePerson(person.id, idempotencyKey)}
      done={t`The record has no name any more`}
      onClose={onClose}
    >
      <p>
        <Trans>
          The name of {shown}, all contacts, notes, tags, the log-in and the place in households go
          for good. Groups and courses keep an entry without a name, so that the numbers of past
          weeks and the history stay. Deleting removes the courses and the record, too.
        </Trans>
      </p>
    </TypedNameDialog>
  );
}
