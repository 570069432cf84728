import type { Problem } from "../../base/errors.ts";
import { type Content, html, type Html } from "../../base/html.ts";
import type { Challenge } from "../../features/visitors/challenges.ts";
import type { Church } from "./church.ts";
import { prose } from "./parts.ts";
import { type Filled, inputOf, type Question, questionHtml } from "./questions.ts";

/** The content of a page with a form. */
export interface Entry {
  path: string;
  title: string;
  description?: string | null;
  above: Html;
  questions: readonly Question[];
  /** Visitors consent to it. Without a notice, the page asks for no consent. */
  notice: string | null;
  consent: string;
  hidden: Readonly<Record<string, string>>;
  challenge: Challenge | null;
  button: string;
  /** The church's own message after the form was sent. */
  thanks?: string | null;
}

const CONSENT = "consent";

export function entryMain(church: Church, entry: Entry, filled: Filled, alert?: Content): Html {
  const { words } = church;
  const { challenge, hidden, notice, questions } = entry;
  const consent: Question = {
    key: CONSENT,
    name: CONSENT,
    type: "consent",
    label: entry.consent,
    required: true,
  };
  const action = church.path(entry.path);
  return html`<article>
    ${entry.above}
    ${alert}
    <form class="entry" method="post" action="${action}" data-sending="${words.form.sending}"${
      challenge && html` data-challenge="${JSON.stringify(challenge)}"`
    }>
      ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      ${challenge && html`<input type="hidden" name="proof" value="">`}
      <div class="visually-hidden" aria-hidden="true">
        <label>Website <input name="website" tabindex="-1" autocomplete="off"></label>
      </div>
      ${questions.map((question) => questionHtml(church, questions, question, filled))}
      ${
        notice !== null &&
        html`<section aria-labelledby="notice">
          <h2 id="notice">${words.form.privacy}</h2>
          ${prose(notice)}
          ${questionHtml(church, [], consent, filled)}
        </section>`
      }
      <p><button>${entry.button}</button></p>
      <p role="status" class="quiet"></p>
    </form>
  </article>`;
}

/** The message above a form that was not accepted. It takes the focus, without script too. */
const alertOf = (title: string, more: Content): Html =>
  html`<div class="alert" role="alert" tabindex="-1" autofocus><p><strong>${title}</strong></p>${more}</div>`;

/** The mistakes of a rejected document: the sentence for each question, and the message above the form. */
export function rejection(
  church: Church,
  entry: Entry,
  { problems, seconds }: { problems: readonly Problem[]; seconds: number },
): { problems: ReadonlyMap<string, string>; alert: Html } {
  const { formats, words } = church;
  const found = new Map<string, string>();
  const consent = { name: CONSENT, label: entry.consent, type: "consent" } as Question;
  const all = entry.notice === null ? entry.questions : [...entry.questions, consent];
  for (const problem of problems) {
    const name = nameIn(problem);
    const question = all.find((one) => name === one.name || name?.startsWith(`${one.name}.`));
    if (question && !found.has(question.name))
      found.set(question.name, sentenceOf(church, question, problem));
  }
  if (found.size === 0) {
    const { reasons } = words.form;
    const { code = "", meta } = problems[0] ?? {};
    const key = [`${code} ${String(meta?.["limit"])}`, code].find((one) =>
      Object.hasOwn(reasons, one),
    );
    const text = reasons[(key ?? "form-token-invalid") as keyof typeof reasons](
      formats.in(seconds),
    );
    return { problems: found, alert: alertOf(words.form.notSent, html`<p>${text}</p>`) };
  }
  const lines = all.flatMap((question) => {
    const sentence = found.get(question.name);
    if (sentence === undefined) return [];
    const label = html`<bdi>${question.label}</bdi>: ${sentence}`;
    return html`<li>${
      question.type === "hidden" ? label : html`<a href="#${inputOf(question)}">${label}</a>`
    }</li>`;
  });
  return { problems: found, alert: alertOf(words.form.notSent, html`<ul>${lines}</ul>`) };
}

/** The name of the input to which a pointer leads: `answers.email` of `/data/attributes/answers/email`. */
function nameIn({ source }: Problem): string | undefined {
  const pointer = source && "pointer" in source ? source.pointer : "";
  const [, name] = /^\/data\/attributes\/(.+)$/.exec(pointer) ?? [];
  return name?.replaceAll("/", ".");
}

/** The broken rule in the language of the page. */
function sentenceOf({ formats, words }: Church, { type }: Question, { meta }: Problem): string {
  const { mistakes } = words.form;
  const limit = meta?.["limit"];
  const day = () => formats.day(`${String(limit)}T00:00:00Z`, "UTC");
  switch (meta?.["rule"]) {
    case "required":
    case "not-blank":
      return mistakes.required;
    case "not-allowed-here":
      return type === "consent" ? mistakes.required : mistakes.other;
    case "max-length":
      return mistakes.tooLong(Number(limit));
    case "min":
      return mistakes.min(Number(limit));
    case "max":
      return mistakes.max(Number(limit));
    case "too-early":
      return mistakes.tooEarly(day());
    case "too-late":
    case "in-the-future":
      return mistakes.tooLate(day());
    default:
      if (type === "email") return mistakes.email;
      return type === "phone" ? mistakes.phone : mistakes.other;
  }
}
