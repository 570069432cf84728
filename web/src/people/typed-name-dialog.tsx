import { useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { forgetRecent } from "../app/recent.ts";
import { WriteDialog } from "../app/write-dialog.tsx";
import { markStale } from "../data/cache.ts";
import { keys } from "../data/keys.ts";
import type { PersonRecord } from "../data/person.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";

/** A final act on a person: the reader types the name first. Afterwards no list has the person. */
export function TypedNameDialog({
  person,
  title,
  action,
  send,
  done,
  onClose,
  children,
}: {
  person: PersonRecord;
  title: ReactNode;
  action: ReactNode;
  send: (idempotencyKey: string) => Promise<unknown>;
  /** The words for the reader when it is done. */
  done: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const [intent] = useState(newIntent);
  const name = person["full-name"];
  const write = useWrite((_: undefined, { idempotencyKey }) => send(idempotencyKey), {
    touches: ["households", "cells", "notes", "cell-memberships", "course-enrollments"],
    onDone: () => {
      toast(done);
      void navigate({ to: "/people" }).then(() => {
        forgetRecent(person.id);
        client.removeQueries({ queryKey: keys.one("people", person.id, "screen") });
        markStale(client, ["people"]);
      });
    },
  });
  const isTyped = typed.trim().normalize() === name.trim().normalize();
  return (
    <WriteDialog
      title={title}
      onClose={onClose}
      action={action}
      write={write}
      onAct={() => write.mutate({ values: undefined, intent })}
      kind="danger"
      reason={isTyped ? undefined : t`Type the name first`}
    >
      {children}
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
