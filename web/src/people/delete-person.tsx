import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { deletePerson, type PersonRecord } from "../data/person.ts";
import { TypedNameDialog } from "./typed-name-dialog.tsx";

/** Deletes the record. Groups keep their numbers without the person. */
export function DeletePerson({ person, onClose }: { person: PersonRecord; onClose: () => void }) {
  const { t } = useLingui();
  const name = person["full-name"];
  const shown = <bdi>{name}</bdi>;
  const courses = person["course-enrollments"]?.length ?? 0;
  return (
    <TypedNameDialog
      person={person}
      title={<Trans>Delete this person?</Trans>}
      action={<Trans>Delete for good</Trans>}
      send={() => deletePerson(person.id, person.$etag)}
      done={t`${name} is deleted`}
      onClose={onClose}
    >
      <p>
        <Trans>
          The record of {shown} and the notes about this person go for good. So do the log-in and
          the place in households.
        </Trans>{" "}
        {courses > 0 && (
          <Plural value={courses} one="# course goes with it." other="# courses go with it." />
        )}{" "}
        <Trans>
          Groups and meetings keep their numbers. To keep the history as an entry without a name,
          anonymize the person. To keep the record, deactivate the person.
        </Trans>
      </p>
    </TypedNameDialog>
  );
}
