/** The reads and writes of forms, and of what people send with them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  FormChanges,
  FormStatus,
  FormSubmissionChanges,
  FormSubmissionStatus,
  NewForm,
  Resource,
} from "@vestry/sdk";
import { VestryError } from "@vestry/sdk";
import { api } from "./client.ts";
import { type Chosen, EVERY_PAGE, everyRow } from "./every-row.ts";
import type { Question } from "./form-answers.ts";
import { keys } from "./keys.ts";
import { randomKey } from "./random-key.ts";
import { PAGE_SIZE, type RowsPage, type RowsQuestion } from "./rows.ts";

const formShape = {
  include: ["owner", "cell", "course"],
  fields: { people: ["full-name"], cells: ["name"], courses: ["name"] },
  meta: { may: true },
} as const;

export type FormRecord = Resource<"forms", typeof formShape>;

export const formOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("forms", id),
    queryFn: ({ signal }) => api.forms.get(id, formShape, { signal }),
    staleTime: 60_000,
  });

export const readForm = (id: string): Promise<FormRecord> => api.forms.get(id, formShape);

type Sending = { etag?: string | undefined; idempotencyKey: string };

export const createForm = (values: NewForm, idempotencyKey: string): Promise<FormRecord> =>
  api.forms.create(values, { ...formShape, idempotencyKey });

export const saveForm = (id: string, changes: FormChanges, sending: Sending): Promise<FormRecord> =>
  api.forms.update(id, changes, { ...formShape, ...sending });

export const deleteForm = (id: string, etag: string | undefined): Promise<void> =>
  api.forms.delete(id, { etag });

/** The questions of a record. The types of the service know them as plain objects. */
export const questionsOf = ({ fields }: { fields: unknown }): readonly Question[] =>
  (fields ?? []) as readonly Question[];

const SIZE = 25;

const nextPage = (
  { pageCount = 1 }: { pageCount?: number | undefined },
  _pages: unknown,
  page: number,
) => (page < pageCount ? page + 1 : undefined);

/** Forms by name. Without a status, all but the archived ones. */
export const formsOptions = (status: FormStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.list("forms", { status }),
    queryFn: ({ pageParam, signal }) =>
      api.forms.page(
        {
          filter: { status: status ? [status] : ["draft", "open", "closed"] },
          sort: "name",
          include: ["cell", "course"],
          fields: {
            forms: ["name", "status", "closes-at", "submissions-count", "cell", "course"],
            cells: ["name"],
            courses: ["name"],
          },
          page: { number: pageParam, size: SIZE },
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

export type SubmissionsSearch = {
  form: string;
  q?: string | undefined;
  status?: FormSubmissionStatus | undefined;
};

const rowShape = {
  fields: { "form-submissions": ["submitted-at", "status", "answers", "source"] },
} as const;

export type SubmissionRow = Resource<"form-submissions", typeof rowShape>;

/** The form counts these as sent. Spam is shown when it is asked for. */
const NO_SPAM = ["new", "processed", "rejected", "archived"] as const;

const submissionFilters = ({ form, q, status }: SubmissionsSearch) => ({
  form: [form],
  ...(q && { q }),
  status: status ? [status] : NO_SPAM,
});

/** What people sent with one form, newest first, by pages of one hundred. */
export function submissionsQuestion(search: SubmissionsSearch): RowsQuestion<SubmissionRow> {
  const filter = submissionFilters(search);
  const params = keys.list("form-submissions", filter);
  return {
    params,
    page: (number) => ({
      queryKey: [...params, number],
      queryFn: async ({ signal }): Promise<RowsPage<SubmissionRow>> => {
        const { items, total } = await api.formSubmissions.page(
          { filter, ...rowShape, page: { number, size: PAGE_SIZE } },
          { signal },
        );
        return { items, total };
      },
    }),
  };
}

/** The chosen submissions of a search. */
export const everySubmission = (
  search: SubmissionsSearch,
  chosen: Chosen,
  signal: AbortSignal,
): AsyncGenerator<SubmissionRow, void, undefined> =>
  everyRow<SubmissionRow>(
    api.formSubmissions.list(
      { filter: submissionFilters(search), ...rowShape, page: { size: EVERY_PAGE } },
      { signal },
    ),
    chosen,
    signal,
  );

/** One request to the service decides so many. */
const AT_ONCE = 200;

export type Together = "rejected" | "spam" | "archived";

/** Decides submissions together. Returns the ids of those that changed. */
export async function decideTogether(
  ids: readonly string[],
  status: Together,
  idempotencyKey: string,
): Promise<string[]> {
  const changed: string[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const { results } = await api.formSubmissionChanges.create(
      { status, "form-submissions": ids.slice(at, at + AT_ONCE) },
      { idempotencyKey: `${idempotencyKey}:${at}` },
    );
    for (const { id, outcome } of results) if (outcome === "changed") changed.push(id);
  }
  return changed;
}

/** Takes decisions back, one by one. A submission that a colleague has decided since stays as it is. */
export async function reopenSubmissions(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await api.formSubmissions
      .update(id, { status: "new" }, { idempotencyKey: randomKey() })
      .catch((error: unknown) => {
        if (!(error instanceof VestryError && error.code === "invalid-transition")) throw error;
      });
}

/** Deletes submissions for good. One that is gone already is no failure. */
export async function deleteSubmissions(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await api.formSubmissions.delete(id).catch((error: unknown) => {
      if (!(error instanceof VestryError && error.status === 404)) throw error;
    });
}

export const formTotalsOptions = (form: string) =>
  queryOptions({
    queryKey: keys.one("form-submissions", form, "totals"),
    queryFn: ({ signal }) => api.formTotals.get(form, {}, { signal }),
  });

const submissionShape = {
  include: ["form", "person", "suggested-people", "reviewed-by"],
  fields: {
    forms: ["name", "version", "fields", "actions"],
    people: ["full-name", "photo-url", "email", "phones"],
  },
  meta: { may: true },
} as const;

export type SubmissionRecord = Resource<"form-submissions", typeof submissionShape>;

export const submissionOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("form-submissions", id),
    queryFn: ({ signal }) => api.formSubmissions.get(id, submissionShape, { signal }),
  });

/** The questions as they were when an old submission answered them. */
export const formVersionOptions = (form: string, number: number) =>
  queryOptions({
    queryKey: keys.list("form-versions", { form, number }),
    queryFn: async ({ signal }) => {
      const { items } = await api.formVersions.page(
        { filter: { form: [form], number }, fields: { "form-versions": ["fields"] } },
        { signal },
      );
      return items[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Decides a submission under the version that was read. The answer has its new version. */
export const decideSubmission = (
  submission: { id: string; $etag?: string | undefined },
  changes: FormSubmissionChanges,
  idempotencyKey: string,
): Promise<SubmissionRecord> =>
  api.formSubmissions.update(submission.id, changes, {
    ...submissionShape,
    etag: submission.$etag,
    idempotencyKey,
  });

/** What an accepted submission can change, so that the caches of these types are stale. */
export const TOUCHED_BY_SUBMISSIONS = [
  "form-submissions",
  "forms",
  "people",
  "cells",
  "cell-memberships",
  "course-enrollments",
] as const;
