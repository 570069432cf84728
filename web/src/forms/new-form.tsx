import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import type { NewForm as NewFormValues } from "@vestry/sdk";
import { useState } from "react";
import { holdsEverywhere } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { type Form, useForm } from "../app/use-form.tsx";
import type { Question } from "../data/form-answers.ts";
import { createForm, type FormRecord } from "../data/forms.ts";
import { useCellWords } from "../records/cell-words.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { NamedField } from "./named-field.tsx";
import { QuestionsForm } from "./questions-form.tsx";
import { asField, withKeys } from "./questions.ts";
import { usePersonAttributes } from "./words.ts";

type Place = "account" | "cell" | "course";

/** A new form begins with the two questions that almost every form has. It is a draft until somebody opens it. */
export function NewForm() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { wordOf } = usePersonAttributes();
  const fields: Question[] = [
    {
      "key": "new:1",
      "type": "text",
      "label": wordOf("full-name"),
      "required": true,
      "maps-to": "full-name",
    },
    {
      "key": "new:2",
      "type": "email",
      "label": wordOf("email"),
      "required": true,
      "maps-to": "email",
    },
  ];
  const { one: cellWord } = useCellWords();
  const isEverywhere = holdsEverywhere(useSession(), "forms:write");
  const [place, setPlace] = useState<Place>(isEverywhere ? "account" : "cell");
  const form = useForm<FormRecord>({
    base: { name: "", fields, cell: null, course: null },
    draft: { type: "forms", id: "new", card: "new" },
    prepare: (values) => ({ ...values, fields: withKeys(values["fields"] as Question[]) }),
    send: ({ name, fields: asked, cell, course }, { idempotencyKey }) =>
      createForm(
        {
          name,
          ...(place === "cell" && { cell }),
          ...(place === "course" && { course }),
          fields: (asked as Question[]).map(asField),
          actions: { "create-or-match-person": true },
        } as NewFormValues,
        idempotencyKey,
      ),
    touches: ["forms"],
    onSaved: (saved) =>
      saved && void navigate({ to: "/forms/$id", params: { id: saved.id }, replace: true }),
    onCancel: () => void navigate({ to: "/forms" }),
  });
  const name = form.values["name"] as string | null;
  return (
    <Page
      title={<Trans>New form</Trans>}
      documentTitle={t`New form`}
      back={{ to: "/forms", label: t`Back to the forms` }}
    >
      <QuestionsForm form={form as Form} name={name ?? ""} hasCancel>
        <TextField
          {...form.text("name")}
          label={t`Name`}
          help={t`Visitors read it above the questions.`}
          autoComplete="off"
          maxLength={200}
          autoFocus
          required
        />
        <SelectField
          label={t`Belongs to`}
          help={t`This decides who reads the answers, and cannot be changed later.`}
          name="place"
          value={place}
          onChange={({ currentTarget: { value } }) => setPlace(value as Place)}
          options={[
            ...(isEverywhere ? [["account", t`The whole church`] as const] : []),
            ["cell", cellWord],
            ["course", t`Course`],
          ]}
        />
        {place === "cell" && (
          <NamedField {...form.control<string | null>("cell")} type="cells" label={cellWord} />
        )}
        {place === "course" && (
          <NamedField {...form.control<string | null>("course")} type="courses" label={t`Course`} />
        )}
      </QuestionsForm>
    </Page>
  );
}
