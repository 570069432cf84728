import { fail, notFound } from "../../base/errors.ts";
import { type Content, html } from "../../base/html.ts";
import type { FormField } from "../../features/forms/forms/form-field.ts";
import { type Challenge, newChallenge } from "../../features/visitors/challenges.ts";
import { asksForProof } from "../../features/visitors/receive.ts";
import type { OpenReception } from "../../features/visitors/reception.ts";
import { readForm } from "../../features/visitors/routes.ts";
import type { VisitDependencies } from "../../jsonapi/routes/public.ts";
import type { Church } from "./church.ts";
import type { Page } from "./frame.ts";
import { joined, prose, type Query } from "./parts.ts";
import { entryMain, type Entry } from "./entry-page.ts";
import { answersIn, type Filled, type Question } from "./questions.ts";

export type EntryDependencies = VisitDependencies & OpenReception;

/** A page with which visitors create a resource of this type. */
export interface EntryKind {
  /** The path below that of the church. */
  path: string;
  type: string;
  /** Throws 404 if visitors cannot see it, and 409 if it takes no requests. */
  open: (church: Church, dependencies: EntryDependencies, id: string) => Promise<Entry>;
  /** The relationship to the subject of the page. The id can be a slug. */
  about: (church: Church, dependencies: EntryDependencies, id: string) => Promise<object>;
  attributes: (questions: readonly Question[], typed: URLSearchParams) => object;
  /** The page of a subject that visitors may know of, but that takes nothing now. */
  closed?: (
    church: Church,
    dependencies: EntryDependencies,
    id: string,
  ) => Promise<Page | undefined>;
}

const form: EntryKind = {
  path: "/forms/:id",
  type: "form-submissions",
  open: openForm,
  about: async ({ actor: { accountId } }, { catalogue, db }, given) => {
    const found = await catalogue.published.findPublicForm(db.ofAccount(accountId), {
      accountId,
      id: given,
    });
    if (!found) throw notFound();
    return { form: { data: { type: "forms", id: found.id } } };
  },
  attributes: (questions, typed) => ({
    "form-version": Number(typed.get("form-version")),
    "form-token": typed.get("form-token") ?? "",
    "answers": answersIn(questions, typed),
  }),
  closed: closedForm,
};

const joining: EntryKind = {
  path: "/cells/:id/join",
  type: "cell-join-requests",
  open: openJoining,
  about: async (_church, _dependencies, id) => ({ cell: { data: { type: "cells", id } } }),
  attributes: contactIn,
};

const enrolling: EntryKind = {
  path: "/classes/:id/enroll",
  type: "course-enrollment-requests",
  open: openEnrolling,
  about: async (_church, _dependencies, id) => ({
    class: { data: { type: "course-classes", id } },
  }),
  attributes: contactIn,
};

export const entryKinds: readonly EntryKind[] = [form, joining, enrolling];

export const entryPage = (church: Church, entry: Entry, filled: Filled, alert?: Content): Page => ({
  path: entry.path,
  title: alert ? joined([church.words.form.notSent, entry.title]) : entry.title,
  description: entry.description,
  main: entryMain(church, entry, filled, alert),
});

/** Answers that a link brings, for hidden questions only. */
export function filledBy({ questions }: Entry, query: Query): Filled {
  const typed = new URLSearchParams();
  for (const { key, name, type } of questions) {
    const value = query[key];
    if (type === "hidden" && typeof value === "string") typed.set(name, value);
  }
  return { typed, problems: new Map() };
}

interface FormAttributes {
  "name": string;
  "description": string | null;
  "fields": readonly FormField[];
  "privacy-notice": string | null;
  "version": number;
  "form-token": string;
  "challenge": Challenge | null;
  "confirmation-message": string | null;
}

async function openForm(
  church: Church,
  dependencies: EntryDependencies,
  id: string,
): Promise<Entry> {
  const { data } = await readForm(dependencies, church.actor, id);
  const shown = data.attributes as unknown as FormAttributes;
  return {
    path: `/forms/${encodeURIComponent(id)}`,
    title: shown.name,
    description: shown.description,
    above: html`<h1 dir="auto">${shown.name}</h1>${prose(shown.description)}`,
    questions: shown.fields.map((field) => ({ ...field, name: `answers.${field.key}` })),
    notice: shown["privacy-notice"],
    consent: church.words.form.consent,
    hidden: { "form-token": shown["form-token"], "form-version": String(shown.version) },
    challenge: shown.challenge,
    button: church.words.form.send,
    thanks: shown["confirmation-message"],
  };
}

/** Says with the name of the form why it takes no answers. A draft and a form with a log-in stay unknown. */
async function closedForm(
  { actor: { accountId }, formats, shown, words }: Church,
  { catalogue, db }: EntryDependencies,
  id: string,
): Promise<Page | undefined> {
  const found = await catalogue.published.findPublicForm(db.ofAccount(accountId), {
    accountId,
    id,
  });
  if (!found || found.takesNone === null) return undefined;
  const { name, opensAt, takesNone } = found;
  const zone = shown.settings["time-zone"] ?? "UTC";
  const { closed, coming, full } = words.form.takesNone;
  const why = {
    closed,
    full,
    coming: coming(opensAt === null ? "" : formats.moment(opensAt, zone)),
  };
  return {
    path: `/forms/${encodeURIComponent(id)}`,
    title: name,
    main: html`<h1 dir="auto">${name}</h1><p class="lead">${why[takesNone]}</p>`,
  };
}

async function openJoining(
  church: Church,
  dependencies: EntryDependencies,
  id: string,
): Promise<Entry> {
  const { words } = church;
  const cell = await church.one("cells", id);
  if (!cell["accepts-requests"]) throw fail("requests-closed", "The cell takes no requests now.");
  return request(church, dependencies, {
    path: `/cells/${id}/join`,
    title: joined([words.form.join, cell.name]),
    above: html`<p class="up"><a href="${church.path(`/cells/${id}`)}"><bdi>${cell.name}</bdi></a></p>
      <h1>${words.form.join}</h1>`,
    button: words.form.ask,
  });
}

async function openEnrolling(
  church: Church,
  dependencies: EntryDependencies,
  id: string,
): Promise<Entry> {
  const { words } = church;
  const one = await church.one("course-classes", id);
  const course = await church.one("courses", one["course-id"]);
  if (course["enrollment-policy"] === "closed")
    throw fail("requests-closed", "The class takes no requests now.");
  const name = joined([one.name, course.name]);
  return request(church, dependencies, {
    path: `/classes/${id}/enroll`,
    title: joined([words.form.enroll, name]),
    above: html`<p class="up"><a href="${church.path(`/classes/${id}`)}"><bdi>${name}</bdi></a></p>
      <h1>${words.form.enroll}</h1>`,
    button: words.form.ask,
  });
}

async function request(
  { actor: { accountId }, name, words }: Church,
  { db, visitorKey }: EntryDependencies,
  about: Pick<Entry, "above" | "button" | "path" | "title">,
): Promise<Entry> {
  const { questions } = words.form;
  const needsProof = await asksForProof(db.ofAccount(accountId), accountId);
  return {
    ...about,
    questions: [
      {
        "key": "full-name",
        "name": "contact.full-name",
        "type": "text",
        "label": questions.name,
        "required": true,
        "max-length": 255,
      },
      {
        key: "email",
        name: "contact.email",
        type: "email",
        label: questions.email,
        required: true,
      },
      { key: "phone", name: "contact.phone", type: "phone", label: questions.phone },
      {
        "key": "message",
        "name": "message",
        "type": "long-text",
        "label": questions.message,
        "max-length": 1_000,
      },
    ],
    notice: words.form.requestNotice(name),
    consent: words.form.consent,
    hidden: {},
    challenge: needsProof ? await newChallenge(visitorKey, accountId) : null,
  };
}

function contactIn(questions: readonly Question[], typed: URLSearchParams): object {
  const { message = null, ...contact } = answersIn(questions, typed);
  return { contact, message };
}
