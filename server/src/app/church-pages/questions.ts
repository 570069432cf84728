import { type Content, html, type Html } from "../../base/html.ts";
import { limits } from "../../base/limits.ts";
import type { FormField } from "../../features/forms/forms/form-field.ts";
import type { Church } from "./church.ts";

/** A question of a form, and the name of its input. */
export interface Question extends Omit<FormField, "maps-to"> {
  name: string;
}

/** The parts of an address that a form asks for, with the values that browsers fill in. */
const addressParts = {
  "street": "address-line1",
  "number": "off",
  "complement": "address-line2",
  "neighborhood": "address-level3",
  "postal-code": "postal-code",
  "city": "address-level2",
  "state": "address-level1",
} as const;
export type AddressPart = keyof typeof addressParts;
const partNames = Object.keys(addressParts) as AddressPart[];

/** The values that browsers fill in for the usual names of questions. */
const known: Readonly<Record<string, string>> = {
  "full-name": "name",
  "name": "name",
  "first-name": "given-name",
  "last-name": "family-name",
  "birthdate": "bday",
};

/** The answers as a visitor typed them, and a sentence about each mistake by the name of its question. */
export interface Filled {
  typed: URLSearchParams;
  problems: ReadonlyMap<string, string>;
}

/** The id of the first input of a question. Links about mistakes lead to it. */
export const inputOf = ({ name, type }: Question): string =>
  type === "address" ? `${name}.${partNames[0]}` : name;

export function questionHtml(
  church: Church,
  questions: readonly Question[],
  question: Question,
  filled: Filled,
): Html {
  const { name, type } = question;
  if (type === "hidden")
    return html`<input type="hidden" name="${name}" value="${filled.typed.get(name)}">`;
  if (type === "heading")
    return html`<div class="field"${conditionOf(question, questions)}>
      <h2 dir="auto">${question.label}</h2>
      ${question.help && html`<p class="prose" dir="auto">${question.help}</p>`}
    </div>`;
  const notes = [
    ["condition", "quiet", conditionText(church, question, questions)],
    ["help", "quiet", question.help],
    ["problem", "wrong", filled.problems.get(name)],
  ] as const;
  const said = notes.filter(([, , text]) => text);
  const by = said.map(([kind]) => `${name}:${kind}`).join(" ");
  const state = html`${by !== "" && html` aria-describedby="${by}"`}${
    filled.problems.has(name) && html` aria-invalid="true"`
  }`;
  const below = said.map(
    ([kind, style, text]) => html`<p class="${style}" id="${name}:${kind}" dir="auto">${text}</p>`,
  );
  return html`<div class="field"${conditionOf(question, questions)}>
    ${inputsHtml(church, question, { filled, state, below })}
  </div>`;
}

interface Around {
  filled: Filled;
  /** The attributes that lead from an input to the notes about it. */
  state: Html;
  below: Content;
}

function inputsHtml(church: Church, question: Question, { below, filled, state }: Around): Html {
  const { name, options, required, type } = question;
  const { typed } = filled;
  // A question with a condition is required only if it applies, which the service checks.
  const isRequired = required === true && !question["show-if"];
  const attributes = html` id="${name}" name="${name}"${isRequired && html` required`}${state}`;
  const label = html`<label for="${name}" dir="auto">${question.label}${optional(church, question)}</label>`;
  switch (type) {
    case "boolean":
    case "consent":
      return html`<label class="tick" dir="auto"><input type="checkbox" value="true" id="${name}" name="${name}"${
        type === "consent" && isRequired && html` required`
      }${state}${typed.get(name) === "true" && html` checked`}>
        <span>${question.label}</span></label>${below}`;
    case "multi-select": {
      const chosen = new Set(typed.getAll(name));
      return html`<fieldset${state}><legend dir="auto">${question.label}${optional(church, question)}</legend>
        ${below}
        ${(options ?? []).map(
          ({ label: text, value }, index) =>
            html`<label class="tick" dir="auto"><input type="checkbox" name="${name}" value="${value}"${
              index === 0 && html` id="${name}"`
            }${chosen.has(value) && html` checked`}> <span>${text}</span></label>`,
        )}</fieldset>`;
    }
    case "address":
      return html`<fieldset${state}><legend dir="auto">${question.label}${optional(church, question)}</legend>
        ${below}
        ${Object.entries(addressParts).map(
          ([part, fill]) =>
            html`<label>${church.words.form.address[part as AddressPart]}
              <input id="${name}.${part}" name="${name}.${part}" maxlength="${ADDRESS_MAX}" autocomplete="${fill}" value="${typed.get(`${name}.${part}`)}">
            </label>`,
        )}</fieldset>`;
    case "select":
      return html`${label}${below}<select${attributes}>
        <option value="">${required ? church.words.form.choose : "–"}</option>
        ${(options ?? []).map(
          ({ label: text, value }) =>
            html`<option value="${value}"${typed.get(name) === value && html` selected`}>${text}</option>`,
        )}</select>`;
    case "long-text":
      // The parser of HTML drops the first end of a line.
      return html`${label}${below}<textarea rows="5"${attributes} maxlength="${
        question["max-length"] ?? limits.formAnswerLengthMax
      }" dir="auto">${"\n"}${typed.get(name)}</textarea>`;
    default:
      return html`${label}${below}<input${attributes}${kindOf(question)} value="${typed.get(name)}" dir="auto">`;
  }
}

const ADDRESS_MAX = 200;
const LINE_MAX = 1_000;

function kindOf({ key, max, "max-length": length, min, type }: Question): Html {
  const range = html`${min && html` min="${min}"`}${max && html` max="${max}"`}`;
  switch (type) {
    case "email":
      return html` type="email" autocomplete="email" maxlength="254"`;
    case "phone":
      return html` type="tel" autocomplete="tel" maxlength="${limits.phoneLengthMax}"`;
    case "number":
      return html` type="number" step="any"${
        min !== null && min !== undefined && html` min="${min}"`
      }${max !== null && max !== undefined && html` max="${max}"`}`;
    case "date":
      return html` type="date"${range}${known[key] && html` autocomplete="${known[key]}"`}`;
    default:
      return html` type="text" maxlength="${length ?? LINE_MAX}"${
        known[key] && html` autocomplete="${known[key]}"`
      }`;
  }
}

const optional = ({ words }: Church, { required }: Question): Html =>
  html`${!required && html` <span class="quiet">(${words.form.optional})</span>`}`;

/** For the script, which hides questions that do not apply. */
function conditionOf({ required, "show-if": condition }: Question, all: readonly Question[]): Html {
  const other = all.find(({ key }) => key === condition?.field);
  if (!condition || !other) return html``;
  return html` data-if="${other.name}" data-equals="${JSON.stringify(condition.equals)}"${
    required && html` data-required`
  }`;
}

/** For people without the script, who see all questions. */
function conditionText(
  { words }: Church,
  { "show-if": condition }: Question,
  all: readonly Question[],
): string | undefined {
  const other = all.find(({ key }) => key === condition?.field);
  if (!condition || !other) return undefined;
  const { equals } = condition;
  if (typeof equals === "boolean") return words.form.onlyIf(other.label, words.form.ticked(equals));
  const option = other.options?.find(({ value }) => value === equals);
  return words.form.onlyIf(other.label, option?.label ?? String(equals));
}

/** The answers as the public area takes them, by the keys of the questions. */
export const answersIn = (
  questions: readonly Question[],
  typed: URLSearchParams,
): Record<string, unknown> =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const answer = answerIn(question, typed);
      return question.type === "heading" || answer === undefined ? [] : [[question.key, answer]];
    }),
  );

function answerIn({ name, type }: Question, typed: URLSearchParams): unknown {
  const text = (typed.get(name) ?? "").replaceAll("\r\n", "\n");
  switch (type) {
    case "boolean":
    case "consent":
      return text === "true";
    case "multi-select": {
      const chosen = typed.getAll(name);
      return chosen.length === 0 ? undefined : chosen;
    }
    case "number": {
      if (text.trim() === "") return undefined;
      const number = Number(text);
      return Number.isFinite(number) ? number : text;
    }
    case "address": {
      const parts = partNames.map((part) => [part, typed.get(`${name}.${part}`) ?? ""] as const);
      return Object.fromEntries(parts.filter(([, value]) => value.trim() !== ""));
    }
    default:
      return text.trim() === "" ? undefined : text;
  }
}
