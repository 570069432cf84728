import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { markStale } from "../data/cache.ts";
import { keys } from "../data/keys.ts";
import { deletePerson, type PersonRecord } from "../data/person.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";

/** Deleting is final, so the reader types the name first. */
export function DeletePerson({ person, onClose }: { person: PersonRecord; onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const name = person["full-name"];
  const shown = <bdi>{name}</bdi>;
  const groups = person["cell-memberships"]?.length ?? 0;
  const courses = person["course-enrollments"]?.length ?? 0;
  const remove = useWrite(() => deletePerson(person.id, person.$etag), {
    touches: ["households", "cells", "notes", "cell-memberships", "course-enrollments"],
    onDone: () => {
      toast(t`${name} is deleted`);
      void navigate({ to: "/people" }).then(() => {
        client.removeQueries({ queryKey: keys.one("people", person.id, "screen") });
        markStale(client, ["people"]);
      });
    },
  });
  const isTyped = typed.trim().normalize() === name.trim().normalize();
  return (
    <WriteDialog
      title={<Trans>Delete this person?</Trans>}
      onClose={onClose}
      action={<Trans>Delete for good</Trans>}
      write={remove}
      onAct={() => remove.mutate({ values: undefined, intent: newIntent() })}
      kind="danger"
      reason={isTyped ? undefined : t`Type the name first`}
    >
      <p>
        <Trans>
          The record of {shown} and the notes about this person go for good. So do the log-in and
          the place in households.
        </Trans>{" "}
        {groups > 0 && (
          <Plural
            value={groups}
            one="# membership of a group goes with it."
            other="# memberships of groups go with it."
          />
        )}{" "}
        {courses > 0 && (
          <Plural value={courses} one="# course goes with it." other="# courses go with it." />
        )}{" "}
        <Trans>Meetings keep their numbers. To keep the record, deactivate the person.</Trans>
      </p>
      <TextField
        label={t`Type the name to confirm: ${name}`}
        name="confirmation"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </WriteDialog>
  );
}
