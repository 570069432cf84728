import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { FormStatus } from "@vestry/sdk";
import {
  Archive,
  ArchiveRestore,
  DoorClosed,
  DoorOpen,
  Ellipsis,
  PencilRuler,
  Trash2,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { mayAct, mayWrite, useHolds } from "../app/may.ts";
import { usePageActions } from "../app/page-actions.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useUndo } from "../app/undo.tsx";
import { type Form, useForm } from "../app/use-form.tsx";
import { markStale } from "../data/cache.ts";
import type { Values } from "../data/conflict.ts";
import type { Question } from "../data/form-answers.ts";
import {
  deleteForm,
  formOptions,
  type FormRecord,
  questionsOf,
  readForm,
  saveForm,
} from "../data/forms.ts";
import { keys } from "../data/keys.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { Page } from "../ui/page.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Answered } from "./answered.tsx";
import { asField, withKeys } from "./questions.ts";
import { QuestionsForm } from "./questions-form.tsx";
import { Preview } from "./preview.tsx";
import { Settings } from "./settings.tsx";
import { Share } from "./share.tsx";
import styles from "./forms.module.css";
import { formStatuses, formTones } from "./words.ts";

const route = getRouteApi("/frame/forms/$id");

/** A form: what people sent, its questions, its settings, and where it is shared. */
export function FormScreen() {
  const { t, i18n } = useLingui();
  const { id } = route.useParams();
  const { tab: wanted, view } = route.useSearch();
  const { data: form, error, refetch } = useQuery(formOptions(id));
  const seesSubmissions = useHolds("form-submissions:read");
  const name = form?.name ?? t`Form`;
  const tabs = [
    // A draft has no submissions.
    ...(seesSubmissions && form?.status !== "draft"
      ? [{ id: "submissions", label: t`Sent`, count: form?.["submissions-count"] }]
      : []),
    { id: "questions", label: t`Questions` },
    { id: "settings", label: t`Settings` },
    { id: "share", label: t`Share` },
  ];
  const current = tabs.find((one) => one.id === wanted)?.id ?? tabs[0]?.id ?? "questions";
  const mayChange = mayWrite(form, "name");
  return (
    <Page
      isFilling={current === "submissions" && view !== "totals"}
      title={<bdi>{name}</bdi>}
      documentTitle={t`${name} · Forms`}
      back={{ to: "/forms", label: t`Back to the forms` }}
      beside={
        form &&
        form.status !== "open" && (
          <Chip tone={formTones[form.status] ?? "plain"}>{i18n._(formStatuses[form.status])}</Chip>
        )
      }
      actions={form && mayChange && <StatusActions form={form} />}
    >
      {error && !form && <Failure error={error} onRetry={() => void refetch()} />}
      {!form && !error && <Skeleton height={240} />}
      {form && (
        <>
          <Tabs
            label={t`Parts of the form`}
            tabs={tabs}
            current={current}
            to="/forms/$id"
            params={{ id }}
          />
          {current === "submissions" && <Answered form={form} />}
          {current === "questions" &&
            (mayChange ? (
              <Questions key={form.id} form={form} />
            ) : (
              <Preview
                name={form.name}
                description={form.description}
                questions={questionsOf(form)}
                notice={form["privacy-notice"]}
              />
            ))}
          {current === "settings" && <Settings form={form} />}
          {current === "share" && <Share form={form} />}
        </>
      )}
    </Page>
  );
}

const valuesOf = (form: FormRecord): Values => ({ fields: questionsOf(form) });

function Questions({ form }: { form: FormRecord }) {
  const [saved, setSaved] = useState(0);
  return <QuestionsOf key={saved} form={form} onSaved={() => setSaved(saved + 1)} />;
}

function QuestionsOf({ form, onSaved }: { form: FormRecord; onSaved: () => void }) {
  const editing = useForm<FormRecord>({
    base: valuesOf(form),
    record: form,
    draft: { type: "forms", id: form.id, card: "questions" },
    prepare: (values) => ({ fields: withKeys(values["fields"] as Question[]) }),
    send: ({ fields }, options) =>
      saveForm(form.id, { fields: (fields as Question[]).map(asField) } as never, options),
    read: () => readForm(form.id),
    valuesOf,
    touches: ["forms"],
    onSaved,
  });
  return (
    <>
      {(form["submissions-count"] ?? 0) > 0 && (
        <p className={styles.quiet}>
          <Trans>Earlier answers keep the questions that they belong to.</Trans>
        </p>
      )}
      <QuestionsForm
        form={editing as Form}
        name={form.name}
        description={form.description}
        notice={form["privacy-notice"]}
      />
    </>
  );
}

/** Opening, closing and archiving. Each has an opposite, except for what is never needed again: deleting. */
function StatusActions({ form }: { form: FormRecord }) {
  const { t } = useLingui();
  const undo = useUndo();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const { status } = form;
  const set = (
    of: { id: string; $etag?: string | undefined },
    next: FormStatus,
    idempotencyKey: string,
  ) => saveForm(of.id, { status: next }, { etag: of.$etag, idempotencyKey });
  const write = useWrite(
    (next: FormStatus, { idempotencyKey }) => set(form, next, idempotencyKey),
    {
      touches: ["forms"],
      onDone: (written, next) => {
        const words = {
          open: t`The form is open`,
          closed: t`The form is closed`,
          archived: t`The form is archived`,
          draft: t`The form is a draft`,
        };
        undo(words[next], ["forms"], () => set(written, status, newIntent().idempotencyKey));
      },
    },
  );
  const remove = useWrite(() => deleteForm(form.id, form.$etag), {
    touches: [],
    onDone: () =>
      void navigate({ to: "/forms" }).then(() => {
        client.removeQueries({ queryKey: keys.one("forms", form.id) });
        markStale(client, ["forms", "form-submissions"]);
      }),
  });
  const change = (next: FormStatus) => write.mutate({ values: next, intent: newIntent() });
  const opens = <DoorOpen size={16} />;
  const main: Record<FormStatus, readonly [FormStatus, string, ReactNode]> = {
    draft: ["open", t`Open the form`, opens],
    open: ["closed", t`Close the form`, <DoorClosed key="close" size={16} />],
    closed: ["open", t`Open the form again`, opens],
    archived: ["closed", t`Take out of the archive`, <ArchiveRestore key="restore" size={16} />],
  };
  const [next, words, icon] = main[status];
  usePageActions([{ id: "status", label: words, run: () => change(next) }]);
  const sent = form["submissions-count"] ?? 0;
  return (
    <>
      {write.error && (
        <span role="alert" className={styles.error}>
          <FailureWords error={write.error} />
        </span>
      )}
      <Button
        kind={status === "draft" ? "filled" : "plain"}
        icon={icon}
        busy={write.isPending}
        onClick={() => change(next)}
      >
        <span>{words}</span>
      </Button>
      <MenuButton
        trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
        entries={[
          ...(status === "closed" || status === "open"
            ? [
                {
                  id: "draft",
                  label: t`Back to a draft`,
                  icon: <PencilRuler size={16} />,
                  reason: sent > 0 ? t`People have sent it.` : undefined,
                  onSelect: () => change("draft"),
                },
                {
                  id: "archive",
                  label: t`Archive`,
                  icon: <Archive size={16} />,
                  reason: status === "open" ? t`Close the form first.` : undefined,
                  onSelect: () => change("archived"),
                },
              ]
            : []),
          ...(mayAct(form, "delete") === false
            ? []
            : [
                {
                  id: "delete",
                  label: t`Delete …`,
                  icon: <Trash2 size={16} />,
                  isDanger: true,
                  onSelect: () => setDeleting(true),
                },
              ]),
        ]}
      />
      {isDeleting && (
        <Dialog title={<Trans>Delete this form?</Trans>} onClose={() => setDeleting(false)} isAlert>
          <p>
            {sent > 0 ? (
              <Trans>The answers go for good, too. People who were added from them stay.</Trans>
            ) : (
              <Trans>The form goes for good. Its address stops working.</Trans>
            )}
          </p>
          {remove.error && (
            <Banner tone="bad">
              <FailureWords error={remove.error} />
            </Banner>
          )}
          <DialogButtons>
            <Button onClick={() => setDeleting(false)}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ values: undefined, intent: newIntent() })}
            >
              <Trans>Delete for good</Trans>
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  );
}
