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
import { api } from "./client.ts";
import type { Question } from "./form-answers.ts";
import { keys } from "./keys.ts";

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

/** The form counts these as sent. */
const NO_SPAM = ["new", "processed", "rejected", "archived"] as const;

/** What people sent with one form, newest first. Spam is shown when it is asked for. */
export const submissionsOptions = (form: string, status: FormSubmissionStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.list("form-submissions", { form, status }),
    queryFn: ({ pageParam, signal }) =>
      api.formSubmissions.page(
        {
          filter: { form: [form], status: status ? [status] : NO_SPAM },
          fields: {
            "form-submissions": ["submitted-at", "status", "answers", "match", "source"],
          },
          page: { number: pageParam, size: SIZE },
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
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
