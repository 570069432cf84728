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
import { cleaned, type Draft } from "../data/draft.ts";
import { nothingPlaced, type Placed } from "../data/problems.ts";
import type { SummaryLine } from "../ui/form-card.tsx";

/** The values of a version of the record, and its tag. A form for a new record has none. */
export type Version = { base: Values; etag?: string | undefined };

/** A colleague changed the record while the form is open: the values that the form has taken over, and those that both changed. */
export type News = { by: string | undefined; taken: string[]; conflicts: string[] };

/** A question which of two values stays, and the record of the colleague. */
export type ConflictQuestion<Result> = {
  changes: Values;
  conflicts: readonly Conflict[];
  theirs: Result;
};

export type FormState<Result> = {
  values: Values;
  /** The version over which the changes are written. */
  over: Version;
  /** The body that was sent last, and its key. */
  intent: { body: string; key: string };
  /** The device keeps it. It has the key, because the tab can end before the answer arrives. */
  draft: Draft | undefined;
  /** When the draft that the form started from was kept. */
  continuedFrom: number | undefined;
  isBusy: boolean;
  /** The typed values are saved or dropped, so leaving asks nothing. */
  isDone: boolean;
  placed: Placed;
  summary: readonly SummaryLine[];
  conflict: ConflictQuestion<Result> | undefined;
  news: News | undefined;
};

export type FormEvent<Result> =
  | { type: "typed"; values: Values }
  /** The person drops the draft from which the form was continued. */
  | { type: "emptied"; version: Version }
  /** The record has another version, because a colleague changed it while the form is open. */
  | { type: "record-changed"; version: Version; by: string | undefined }
  /** The person wants to see both values, or takes over those of the colleague. */
  | { type: "compared"; version: Version; theirs: Result }
  | { type: "taken-over"; version: Version }
  /** `values` are those that were prepared for the service. */
  | { type: "submitted"; values: Values }
  | { type: "sending"; body: Values; newKey: string }
  | { type: "refused"; placed: Placed; summary: readonly SummaryLine[] }
  | { type: "conflicted"; conflict: ConflictQuestion<Result> }
  | { type: "dismissed" }
  /** The person chose between the values: `wanted` is written over the version of the colleague. */
  | { type: "decided"; version: Version; wanted: Values }
  | { type: "answered" }
  | { type: "saved" }
  | { type: "canceled" };

const nothingSent = { body: "", key: "" };

/** A form starts from the draft. The version of the draft counts, so that changes of colleagues since then are noticed. */
export const startOf = <Result>(version: Version, kept: Draft | undefined): FormState<Result> => ({
  values: kept?.values ?? version.base,
  over: kept ? { base: kept.base, etag: kept.etag } : version,
  intent: kept?.intent ?? nothingSent,
  draft: kept,
  continuedFrom: kept?.at,
  isBusy: false,
  isDone: false,
  placed: nothingPlaced,
  summary: [],
  conflict: undefined,
  news: undefined,
});

/** The values that differ from the version they are written over. */
export const changesIn = <Result>({ over, values }: FormState<Result>): Values =>
  changesOf(cleaned(over.base) as Values, cleaned(values) as Values);

/** Whether leaving would lose something. */
export const isUnsaved = <Result>(state: FormState<Result>): boolean =>
  !state.isDone && !isNothing(changesIn(state));

export function formAfter<Result>(
  state: FormState<Result>,
  event: FormEvent<Result>,
): FormState<Result> {
  switch (event.type) {
    case "typed":
      return withDraft({ ...state, values: event.values, isDone: false });
    case "emptied":
      return startOf(event.version, undefined);
    case "record-changed":
      return follow(state, event.version, event.by);
    case "compared": {
      const compared = compareWith(state, event.version);
      return { ...state, news: undefined, conflict: { ...compared, theirs: event.theirs } };
    }
    case "taken-over": {
      const { changes, theirs } = compareWith(state, event.version);
      return withDraft({
        ...state,
        news: undefined,
        values: typedOver(theirs, changes, state.values),
        over: { base: theirs, etag: event.version.etag },
      });
    }
    case "submitted": {
      const { values } = event;
      const next = values === state.values ? state : formAfter(state, { type: "typed", values });
      return { ...next, placed: nothingPlaced, summary: [] };
    }
    case "sending": {
      // The same words again are the same intent, so that a lost answer does not make a second record.
      const body = JSON.stringify(event.body);
      const next = { ...state, isBusy: true };
      return body === state.intent.body
        ? next
        : withDraft({ ...next, intent: { body, key: event.newKey } });
    }
    case "refused":
      return { ...state, placed: event.placed, summary: event.summary };
    case "conflicted":
      return { ...state, conflict: event.conflict };
    case "dismissed":
      return { ...state, conflict: undefined };
    case "decided":
      return {
        ...state,
        conflict: undefined,
        values: typedOver(event.version.base, event.wanted, event.wanted),
        over: event.version,
      };
    case "answered":
      return { ...state, isBusy: false };
    case "saved":
      return { ...state, isDone: true, intent: nothingSent, draft: undefined };
    case "canceled":
      return { ...state, isDone: true, draft: undefined };
  }
}

const withDraft = <Result>(state: FormState<Result>): FormState<Result> => ({
  ...state,
  draft: { values: state.values, ...state.over, intent: state.intent },
});

/** Compares what was typed with a version of a colleague. `theirs` has the values that the form has. */
function compareWith<Result>(state: FormState<Result>, { base: all }: Version) {
  const { base } = state.over;
  const theirs: Values = Object.fromEntries(
    Object.keys(base).map((name) => [name, name in all ? all[name] : base[name]]),
  );
  return { theirs, ...compare(base, changesIn(state), theirs) };
}

/** Values that were not touched become those of the colleague. The others stay, and the colleague's are offered. */
function follow<Result>(
  state: FormState<Result>,
  version: Version,
  by: string | undefined,
): FormState<Result> {
  const { etag } = version;
  if (etag === undefined || etag === state.over.etag || state.isDone) return state;
  const { theirs, ...compared } = compareWith(state, version);
  const conflicts = compared.conflicts.map(({ name }) => name);
  const mine = settle(compared.changes, compared.conflicts, () => true);
  const values = typedOver(theirs, mine, state.values);
  const taken = changedNames(cleaned(state.values) as Values, values).filter(
    (name) => !conflicts.includes(name),
  );
  const isSeen = taken.length > 0 || conflicts.length > 0;
  const next = {
    ...state,
    values,
    // With a conflict, the write meets the newer version and asks.
    over: conflicts.length === 0 ? { base: theirs, etag } : state.over,
    news: isSeen ? { by, taken, conflicts } : state.news,
  };
  return isNothing(changesIn(state)) ? next : withDraft(next);
}
