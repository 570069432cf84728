import { useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { type ResourceType, VestryError } from "@vestry/sdk";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { type Kept, keepRecord, markStale } from "../data/cache.ts";
import { type Conflict, isNothing, settle, type Values } from "../data/conflict.ts";
import { cleaned, type DraftPlace, drafts, valueAt, withValue } from "../data/draft.ts";
import { nothingPlaced, type Placed, placeProblems } from "../data/problems.ts";
import { newIntent, patiently, saveOver } from "../data/write.ts";
import { labelOf, type SummaryLine } from "../ui/form-card.tsx";
import { toast } from "../ui/toasts.tsx";
import {
  changesIn,
  formAfter,
  type FormEvent,
  isUnsaved,
  startOf,
  type Version,
} from "./form-state.ts";
import { FailureWords, ProblemWords } from "./problem-words.tsx";
import { useUnsaved } from "./unsaved.ts";

export type FormOptions<Result extends Kept> = {
  /** The values that the form starts from, by the names of the attributes and relationships. */
  base: Values;
  /** The record to change. Its version guards the write. A form for a new record has none. */
  record?: Kept | undefined;
  /** Where the draft is kept. Without it, nothing is kept and leaving asks no question. */
  draft?: DraftPlace | undefined;
  /** Sends the changed values. The key stays the same when a lost answer is asked for again. */
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

/** The state of a form, which the draft on the device follows. */
function useFormState<Result>(place: DraftPlace | undefined, version: Version) {
  const [state, setState] = useState(() => startOf<Result>(version, place && drafts.read(place)));
  const [isStored, setStored] = useState(true);
  /** The state before it is drawn. A page that opens at once must not ask about what was just saved. */
  const latest = useRef(state);

  function dispatch(event: FormEvent<Result>) {
    const before = latest.current;
    const next = formAfter(before, event);
    latest.current = next;
    setState(next);
    if (place && next.draft !== before.draft)
      if (next.draft) setStored(drafts.keep(place, next.draft));
      else drafts.drop(place);
    return next;
  }

  return { state, latest, isStored, dispatch };
}

/**
 * A form over a record, or for a new one. `form-state.ts` says what each event changes. Fields take their properties from `text`,
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
  const { state, latest, isStored, dispatch } = useFormState<Result>(place, {
    base,
    etag: record?.$etag,
  });
  useUnsaved([() => isUnsaved(latest.current)]);
  const formRef = useRef<HTMLFormElement>(null);
  const [names] = useState(() => new Set<string>());

  const versionOf = (newer: Kept) => ({ base: valuesOf(newer as Result), etag: newer.$etag });

  const follow = useEffectEvent(() => {
    if (record)
      dispatch({ type: "record-changed", version: versionOf(record), by: authorOf(record) });
  });
  // oxlint-disable-next-line react/set-state-in-effect -- The same step keeps the draft on the device, which a render may not do.
  useEffect(() => follow(), [record?.$etag]);

  /** The colleague's changes since the form was opened, over the values that were typed. */
  function ask(isShown: boolean): void {
    if (!record) return;
    const version = versionOf(record);
    if (isShown) dispatch({ type: "compared", version, theirs: record as Result });
    else dispatch({ type: "taken-over", version });
  }

  function finish(saved: Result | undefined): void {
    dispatch({ type: "saved" });
    if (saved) {
      keepRecord(client, saved);
      markStale(client, touches, saved);
    }
    onSaved(saved);
  }

  async function write(wanted: Values) {
    try {
      const saved = await saveOver(latest.current.over, wanted, {
        send: (body, etag) => {
          const newKey = newIntent().idempotencyKey;
          const { key } = dispatch({ type: "sending", body, newKey }).intent;
          return patiently(() => send(body, { etag, idempotencyKey: key }));
        },
        read,
        valuesOf,
      });
      if (saved.kind === "conflict") return void dispatch({ type: "conflicted", conflict: saved });
      if (saved.wasMerged)
        toast(t`Saved. A colleague changed other parts of this in the meantime, and both stay.`);
      finish(saved.record);
    } catch (error) {
      if (!(error instanceof VestryError)) throw error;
      dispatch({ type: "refused", ...explain(error, names, formRef.current) });
    } finally {
      dispatch({ type: "answered" });
    }
  }

  function submit(): void {
    const now = dispatch({ type: "submitted", values: prepare(latest.current.values) });
    const wanted = record ? changesIn(now) : (cleaned(now.values) as Values);
    if (record && isNothing(wanted)) finish(undefined);
    else void write(wanted);
  }

  /** Continues over the record of the colleague, with my values where they were chosen. */
  function decide(isMine: (name: string) => boolean): void {
    if (!state.conflict) return;
    const { changes, conflicts, theirs } = state.conflict;
    const wanted = settle(changes, conflicts, isMine);
    dispatch({ type: "decided", version: versionOf(theirs), wanted });
    if (isNothing(wanted)) finish(theirs);
    else void write(wanted);
  }

  function cancel(): void {
    dispatch({ type: "canceled" });
    onCancel?.();
  }

  function startEmpty(): void {
    dispatch({ type: "emptied", version: { base } });
    formRef.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }

  const change = (values: Values): void => void dispatch({ type: "typed", values });

  return {
    ...inputsOf(state, names, change),
    ask,
    cancel,
    change,
    conflict: state.conflict,
    /** When a form for a new record was left with the values that it now shows. */
    continuedFrom: record ? undefined : state.continuedFrom,
    decide,
    dismissConflict: () => dispatch({ type: "dismissed" }),
    formRef,
    isBusy: state.isBusy,
    /** False if the browser refused the draft, which then lives as long as the form. */
    isStored,
    isUnsaved: () => isUnsaved(latest.current),
    keepsDraft: place !== undefined,
    news: state.news,
    startEmpty,
    submit,
    summary: state.summary,
    values: state.values,
  };
}

export type Form = Omit<ReturnType<typeof useForm>, "conflict"> & {
  conflict: { conflicts: readonly Conflict[] } | undefined;
};

/** The name of the person who changed the record last, if it was read. */
function authorOf(record: Kept): string | undefined {
  const author = (record as Kept & Values)["modified-by"];
  return typeof author === "object" && author !== null && "full-name" in author
    ? String(author["full-name"])
    : undefined;
}

/** The errors at the inputs of a form, and the lines above it. A single error at an input needs no line. */
function explain(
  error: VestryError,
  names: ReadonlySet<string>,
  form: HTMLFormElement | null,
): { placed: Placed; summary: readonly SummaryLine[] } {
  const isAtFields = error.status === 422 || error.status === 409 || error.status === 403;
  const placed = isAtFields
    ? placeProblems(error.errors, names)
    : { ...nothingPlaced, others: error.errors };
  const others = placed.others.map((problem) => ({
    words: isAtFields ? <ProblemWords problem={problem} /> : <FailureWords error={error} />,
  }));
  const atFields = [...placed.fields].flatMap(([name, problems]) =>
    problems.map((problem) => ({
      name,
      label: labelOf(form, name),
      words: <ProblemWords problem={problem} />,
    })),
  );
  const isAlone = others.length === 0 && atFields.length === 1;
  return { placed, summary: isAlone ? [] : [...others, ...atFields] };
}

type Target = { currentTarget: { value: string } };

/** The properties of inputs by their names, which are added to `names`. */
function inputsOf(
  { placed, values }: { placed: Placed; values: Values },
  names: Set<string>,
  change: (values: Values) => void,
) {
  const error = (name: string): ReactNode =>
    placed.fields.get(name)?.map((problem, index) => (
      <div key={index}>
        <ProblemWords problem={problem} />
      </div>
    ));

  /** The properties of any input: its value, and how it changes. */
  function control<Value>(name: string) {
    names.add(name);
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

  return { check, control, error, text };
}
