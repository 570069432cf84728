import { Trans } from "@lingui/react/macro";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type DraftPlace, drafts } from "../data/draft.ts";
import { Button } from "../ui/button.tsx";
import { now } from "../ui/clock.ts";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { ConflictDialog } from "../ui/conflict-dialog.tsx";
import { focusInput, FormCard, labelOf, wordsOf } from "../ui/form-card.tsx";
import { formatList, formatMoment } from "../ui/format.ts";
import { Banner } from "../ui/states.tsx";
import type { News } from "./form-state.ts";
import { isLeaving } from "./updates.ts";
import type { Form } from "./use-form.tsx";

const HALF_A_DAY_MS = 12 * 3_600_000;

/** The form on the page: its card, and the questions that it asks. */
export function EditForm({
  form,
  title,
  submit,
  reason,
  extra,
  isPlain,
  isFilled,
  hasCancel = true,
  onSubmit = form.submit,
  showValue,
  children,
}: {
  form: Form;
  title?: ReactNode;
  submit?: ReactNode;
  /** Says why the form cannot be sent yet. */
  reason?: string | undefined;
  extra?: ReactNode;
  /** Without a border, as in a dialog. */
  isPlain?: boolean;
  isFilled?: boolean;
  hasCancel?: boolean;
  /** What the last button and the Enter key do. */
  onSubmit?: () => void;
  /** A value in the words of the screen, for the question which of two stays. */
  showValue?: (name: string, value: unknown) => ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <FormCard
        title={title}
        formRef={form.formRef}
        summary={form.summary}
        onSubmit={onSubmit}
        onCancel={hasCancel ? form.cancel : undefined}
        isBusy={form.isBusy}
        submit={submit}
        reason={reason}
        extra={extra}
        isPlain={isPlain}
        isFilled={isFilled}
      >
        {form.continuedFrom !== undefined && (
          <Continued from={form.continuedFrom} onStartEmpty={form.startEmpty} />
        )}
        {form.news && <FormNews form={form} news={form.news} />}
        {children}
      </FormCard>
      {form.conflict && (
        <ConflictDialog
          conflicts={form.conflict.conflicts}
          labelOf={(name) => labelOf(form.formRef.current, name)}
          showValue={showValue ?? ((name, value) => wordsOf(form.formRef.current, name, value))}
          onDecide={form.decide}
          onClose={form.dismissConflict}
        />
      )}
      {form.keepsDraft && <LeaveQuestion form={form} />}
    </>
  );
}

/** A new record must not take values of another one, which somebody began and left. */
function Continued({ from, onStartEmpty }: { from: number; onStartEmpty: () => void }) {
  const isLongAgo = now() - from > HALF_A_DAY_MS;
  const moment = formatMoment(new Date(from).toISOString(), isLongAgo ? "full" : "time");
  return (
    <Banner
      action={
        <Button kind="quiet" onClick={onStartEmpty}>
          <Trans>Start empty</Trans>
        </Button>
      }
    >
      <Trans>Continued from {moment}</Trans>
    </Banner>
  );
}

/** Says which values a colleague changed while the form is open. */
function FormNews({ form, news: { by, taken, conflicts } }: { form: Form; news: News }) {
  const who = by === undefined ? <Trans>A colleague</Trans> : <bdi>{by}</bdi>;
  const isAsking = conflicts.length > 0;
  const names = isAsking ? conflicts : taken;
  const what = (
    <b>{formatList(names.map((name) => labelOf(form.formRef.current, name) || name))}</b>
  );
  if (isAsking)
    return (
      <Banner
        action={
          <>
            <Button kind="quiet" onClick={() => form.ask(true)}>
              <Trans>Show</Trans>
            </Button>
            <Button kind="quiet" onClick={() => form.ask(false)}>
              <Trans>Take over</Trans>
            </Button>
          </>
        }
      >
        <Trans>
          {who} also changed {what}. Your entry is not saved yet.
        </Trans>
      </Banner>
    );
  return (
    <Banner
      action={
        <Button kind="quiet" onClick={() => focusInput(form.formRef.current, taken[0] ?? "")}>
          <Trans>Show</Trans>
        </Button>
      }
    >
      <Trans>
        {who} changed {what}. The form has the new value.
      </Trans>
    </Banner>
  );
}

/** Asks before another page opens. A tab of the same record shows a kept draft again, so it asks only without one. */
function LeaveQuestion({ form: { isStored, isUnsaved: asks } }: { form: Form }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      asks() &&
      (current.pathname !== next.pathname || (!isStored && tabOf(current) !== tabOf(next))),
    // A reload after an update keeps the draft.
    enableBeforeUnload: () => asks() && !isLeaving(),
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog title={<Trans>Leave without saving?</Trans>} onClose={blocker.reset} isAlert>
      <p>
        {isStored ? (
          <Trans>What you entered is not saved. It is offered to you when you come back.</Trans>
        ) : (
          <Trans>
            What you entered is not saved. This browser keeps no drafts, so it is lost when you
            leave.
          </Trans>
        )}
      </p>
      <DialogButtons>
        <Button onClick={blocker.proceed}>
          <Trans>Leave</Trans>
        </Button>
        <Button kind="filled" onClick={blocker.reset}>
          <Trans>Stay</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

const tabOf = ({ search }: { search: object }) => ("tab" in search ? search.tab : undefined);

/** Whether something was typed here before and not saved, and how to continue or drop it. */
export function useDraft(place: DraftPlace) {
  const [, redraw] = useState(0);
  return {
    isKept: drafts.read(place) !== undefined,
    drop: () => {
      drafts.drop(place);
      redraw((count) => count + 1);
    },
  };
}

export function DraftOffer({ onContinue, onDrop }: { onContinue: () => void; onDrop: () => void }) {
  return (
    <Banner
      action={
        <>
          <Button kind="quiet" onClick={onDrop}>
            <Trans>Drop it</Trans>
          </Button>
          <Button kind="quiet" onClick={onContinue}>
            <Trans>Continue</Trans>
          </Button>
        </>
      }
    >
      <Trans>You began to change this and did not save it.</Trans>
    </Banner>
  );
}
