import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { type ResourceType, VestryError } from "@vestry/sdk";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { type Kept, keepRecord, markStale } from "../data/cache.ts";
import {
  changedNames,
  changesOf,
  compare,
  type Conflict,
  isNothing,
  settle,
  typedOver,
  type Values,
} from "../data/conflict.ts";
import { cleaned, type DraftPlace, drafts, valueAt, withValue } from "../data/draft.ts";
import { nothingPlaced, type Placed, placeProblems } from "../data/problems.ts";
import { newIntent, patiently, saveOver } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { ConflictDialog } from "../ui/conflict-dialog.tsx";
import { focusInput, FormCard, labelOf, type SummaryLine } from "../ui/form-card.tsx";
import { formatList } from "../ui/format.ts";
import { Banner } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import { FailureWords, ProblemWords } from "./problem-words.tsx";
import { isLeaving } from "./updates.ts";

type Target = { currentTarget: { value: string } };

/** What a colleague changed while the form is open: what the form has taken over, and what both changed. */
type News = { by: string | undefined; taken: string[]; conflicts: string[] };

/** The name of the person who changed the record last, if it was read. */
function authorOf(record: Kept): string | undefined {
  const author = (record as Kept & Values)["modified-by"];
  return typeof author === "object" && author !== null && "full-name" in author
    ? String(author["full-name"])
    : undefined;
}

export type FormOptions<Result extends Kept> = {
  /** The values that the form starts from, by the names of the attributes and relationships. */
  base: Values;
  /** The record to change. Its version guards the write. A form for a new record has none. */
  record?: Kept | undefined;
  /** Where the draft is kept. Without it, nothing is kept and leaving asks no question. */
  draft?: DraftPlace | undefined;
  /** Sends the changed values. `intent` stays the same when a lost answer is asked for again. */
  send: (
    changes: Values,
    options: { etag?: string | undefined; idempotencyKey: string },
  ) => Promise<Result>;
  /** Reads the record again after a colleague changed it, and names its values as `base` does. */
  read?: (() => Promise<Result>) | undefined;
  valuesOf?: ((record: Result) => Values) | undefined;
  /** Puts the values in order before they are sent, for example without empty rows. The form shows the result. */
  prepare?: ((values: Values) => Values) | undefined;
  /** The types whose lists are stale afterwards. */
  touches: readonly ResourceType[];
  /** `record` is undefined when nothing was changed. */
  onSaved: (record: Result | undefined) => void;
  onCancel?: (() => void) | undefined;
};

/**
 * The state of a form: what was typed, what the service said about it, and the draft. Fields take their properties from `text`,
 * `check` and `control` by the name of the attribute, which is also the place of its errors.
 */
export function useForm<Result extends Kept>({
  base,
  draft: place,
  onCancel,
  onSaved,
  prepare = (values) => values,
  read,
  record,
  send,
  touches,
  valuesOf = (one) => one as Kept & Values,
}: FormOptions<Result>) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [start] = useState(() => {
    const kept = place && drafts.read(place);
    // The version of the draft counts, so that changes of colleagues since then are noticed.
    return kept ?? { base, values: base, etag: record?.$etag };
  });
  const [values, setValues] = useState(start.values);
  const [over, setOver] = useState({ base: start.base, etag: start.etag });
  const [isStored, setStored] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [placed, setPlaced] = useState<Placed>(nothingPlaced);
  const [summary, setSummary] = useState<readonly SummaryLine[]>([]);
  const [conflict, setConflict] = useState<{
    changes: Values;
    conflicts: readonly Conflict[];
    theirs: Result;
  }>();
  const [news, setNews] = useState<News>();
  const formRef = useRef<HTMLFormElement>(null);
  const names = useRef(new Set<string>());
  /** What was typed is saved or dropped, so leaving asks nothing. */
  const isDone = useRef(false);
  const intent = useRef(start.intent ?? { body: "", key: "" });
  const changes = changesOf(cleaned(over.base) as Values, cleaned(values) as Values);
  const isDirty = !isNothing(changes);

  const keepDraft = (typed: Values, from: typeof over): void => {
    if (place) setStored(drafts.keep(place, { values: typed, ...from, intent: intent.current }));
  };

  function change(next: Values): void {
    isDone.current = false;
    setValues(next);
    keepDraft(next, over);
  }

  /** The values of the form in a newer version of the record. */
  const theirValues = (newer: Kept): Values => {
    const all = valuesOf(newer as Result);
    return Object.fromEntries(
      Object.keys(over.base).map((name) => [name, name in all ? all[name] : over.base[name]]),
    );
  };

  /**
   * A colleague changed the record while the form is open. Values that were not touched become theirs. The others stay, and the
   * colleague's are offered.
   */
  const follow = useEffectEvent(() => {
    if (record?.$etag === undefined || record.$etag === over.etag || isDone.current) return;
    const theirs = theirValues(record);
    const compared = compare(over.base, changes, theirs);
    const conflicts = new Set(compared.conflicts.map(({ name }) => name));
    const next = typedOver(
      theirs,
      settle(compared.changes, compared.conflicts, () => true),
      values,
    );
    const taken = changedNames(cleaned(values) as Values, next).filter(
      (name) => !conflicts.has(name),
    );
    // With a conflict, the write meets the newer version and asks.
    const from = conflicts.size === 0 ? { base: theirs, etag: record.$etag } : over;
    setOver(from);
    setValues(next);
    if (isDirty) keepDraft(next, from);
    if (taken.length === 0 && conflicts.size === 0) return;
    setNews({ by: authorOf(record), taken, conflicts: [...conflicts] });
  });
  // oxlint-disable-next-line react/set-state-in-effect -- The same step keeps the draft on the device, which a render may not do.
  useEffect(() => follow(), [record?.$etag]);

  /** What the colleague changed since the form was opened, over the values that were typed. */
  function ask(isShown: boolean): void {
    setNews(undefined);
    if (!record) return;
    const theirs = theirValues(record);
    const compared = compare(over.base, changes, theirs);
    if (isShown) return setConflict({ ...compared, theirs: record as Result });
    const from = { base: theirs, etag: record.$etag };
    const next = typedOver(theirs, compared.changes, values);
    setOver(from);
    setValues(next);
    keepDraft(next, from);
  }

  /**
   * The same words again are the same intent, so that a lost answer does not make a second record. The draft keeps the key, because
   * the tab can end before the answer arrives.
   */
  function keyFor(body: Values, typed: Values, from: typeof over): string {
    const text = JSON.stringify(body);
    if (intent.current.body !== text) {
      intent.current = { body: text, key: newIntent().idempotencyKey };
      keepDraft(typed, from);
    }
    return intent.current.key;
  }

  function finish(saved: Result | undefined): void {
    if (place) drafts.drop(place);
    isDone.current = true;
    intent.current = { body: "", key: "" };
    if (saved) {
      keepRecord(client, saved);
      markStale(client, touches, saved);
    }
    onSaved(saved);
  }

  function fail(error: unknown): void {
    if (!(error instanceof VestryError)) throw error;
    const isAtFields = error.status === 422 || error.status === 409 || error.status === 403;
    const found = isAtFields
      ? placeProblems(error.errors, names.current)
      : { ...nothingPlaced, others: error.errors };
    const others = found.others.map((problem) => ({
      words: isAtFields ? <ProblemWords problem={problem} /> : <FailureWords error={error} />,
    }));
    const atFields = [...found.fields].flatMap(([name, problems]) =>
      problems.map((problem) => ({
        name,
        label: labelOf(formRef.current, name),
        words: <ProblemWords problem={problem} />,
      })),
    );
    setPlaced(found);
    setSummary(others.length === 0 && atFields.length === 1 ? [] : [...others, ...atFields]);
  }

  async function write(wanted: Values, typed: Values, from: typeof over) {
    setBusy(true);
    try {
      const saved = await saveOver(from, wanted, {
        send: (body, etag) => {
          const idempotencyKey = keyFor(body, typed, from);
          return patiently(() => send(body, { etag, idempotencyKey }));
        },
        read,
        valuesOf,
      });
      if (saved.kind === "conflict") return setConflict(saved);
      if (saved.wasMerged)
        toast(t`Saved. A colleague changed other parts of this in the meantime, and both stay.`);
      finish(saved.record);
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  }

  function submit(): void {
    const prepared = prepare(values);
    if (prepared !== values) change(prepared);
    setPlaced(nothingPlaced);
    setSummary([]);
    const now = cleaned(prepared) as Values;
    const wanted = record ? changesOf(cleaned(over.base) as Values, now) : now;
    if (record && isNothing(wanted)) finish(undefined);
    else void write(wanted, prepared, over);
  }

  /** Continues over the record of the colleague, with my values where they were chosen. */
  function decide(isMine: (name: string) => boolean): void {
    if (!conflict) return;
    const { changes: rest, conflicts, theirs } = conflict;
    const wanted = settle(rest, conflicts, isMine);
    const from = { base: valuesOf(theirs), etag: theirs.$etag };
    setConflict(undefined);
    setOver(from);
    const typed = typedOver(from.base, wanted, wanted);
    setValues(typed);
    if (isNothing(wanted)) finish(theirs);
    else void write(wanted, typed, from);
  }

  function cancel(): void {
    if (place) drafts.drop(place);
    isDone.current = true;
    onCancel?.();
  }

  const error = (name: string): ReactNode =>
    placed.fields.get(name)?.map((problem, index) => (
      <div key={index}>
        <ProblemWords problem={problem} />
      </div>
    ));

  /** The properties of any input: its value, and how it changes. */
  function control<Value>(name: string) {
    names.current.add(name);
    return {
      name,
      value: valueAt(values, name) as Value,
      onChange: (value: Value) => change(withValue(values, name, value)),
      error: error(name),
    };
  }

  /** The properties of an input of text or of a list of choices. */
  function text(name: string) {
    const { value, onChange, ...rest } = control<string | number | null | undefined>(name);
    return {
      ...rest,
      value: value ?? "",
      onChange: ({ currentTarget }: Target) => onChange(currentTarget.value),
    };
  }

  /** The properties of a box to tick. */
  function check(name: string) {
    const { value, onChange, ...rest } = control<boolean | null | undefined>(name);
    return {
      ...rest,
      checked: value === true,
      onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) =>
        onChange(currentTarget.checked),
    };
  }

  return {
    ask,
    cancel,
    change,
    check,
    conflict,
    control,
    decide,
    dismissConflict: () => setConflict(undefined),
    error,
    formRef,
    isBusy,
    isDirty,
    isDone,
    keepsDraft: place !== undefined,
    news,
    /** False if the browser refused the draft, which then lives as long as the form. */
    isStored,
    submit,
    summary,
    text,
    values,
  };
}

export type Form = Omit<ReturnType<typeof useForm>, "conflict"> & {
  conflict: { conflicts: readonly Conflict[] } | undefined;
};

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
        {form.news && <FormNews form={form} news={form.news} />}
        {children}
      </FormCard>
      {form.conflict && (
        <ConflictDialog
          conflicts={form.conflict.conflicts}
          labelOf={(name) => labelOf(form.formRef.current, name)}
          showValue={showValue}
          onDecide={form.decide}
          onClose={form.dismissConflict}
        />
      )}
      {form.keepsDraft && <LeaveQuestion form={form} />}
    </>
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
function LeaveQuestion({ form: { isDirty, isDone, isStored } }: { form: Form }) {
  const asks = () => isDirty && !isDone.current;
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
