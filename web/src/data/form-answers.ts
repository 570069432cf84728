/** What a form asks, and what a visitor answered. The service decides what is valid. */

export type QuestionType =
  | "text"
  | "long-text"
  | "email"
  | "phone"
  | "number"
  | "date"
  | "boolean"
  | "select"
  | "multi-select"
  | "address"
  | "consent"
  | "heading"
  | "hidden";

export type Choice = { value: string; label: string };

/** A field of a form. Members that the type does not use are absent or null. */
export type Question = {
  key: string;
  type: QuestionType;
  label: string;
  help?: string | null | undefined;
  required?: boolean | null | undefined;
  options?: readonly Choice[] | null | undefined;
  min?: number | string | null | undefined;
  max?: number | string | null | undefined;
  "max-length"?: number | null | undefined;
  "maps-to"?: string | null | undefined;
  "show-if"?: { field: string; equals: unknown } | null | undefined;
};

export type Answers = Readonly<Record<string, unknown>>;

/** The questions that a visitor with these answers sees. A question below a hidden one is hidden, too. */
export function shownQuestions<One extends Question>(
  questions: readonly One[],
  answers: Answers,
): One[] {
  const shown = new Map<string, One>();
  for (const question of questions) {
    const condition = question["show-if"];
    const other = shown.get(condition?.field ?? "");
    if (!condition || (other && meets(other, answers[other.key], condition.equals)))
      shown.set(question.key, question);
  }
  return [...shown.values()];
}

/** Of several chosen values, one is enough. A box that was not ticked says no. */
const meets = ({ type }: Question, answer: unknown, wanted: unknown): boolean =>
  Array.isArray(answer)
    ? answer.includes(wanted)
    : (type === "boolean" || type === "consent" ? (answer ?? false) : answer) === wanted;

const CONTACT = /name$|^(email|phone|address|sex|birthdate)$/;

/** What the visitor wants, in one line: the first answer that says neither who it is nor where. */
export function firstAnswer(questions: readonly Question[], answers: Answers): string {
  const said = questions.filter(
    ({ key, type, "maps-to": target }) =>
      ["text", "long-text", "select", "multi-select"].includes(type) &&
      !CONTACT.test(target ?? "") &&
      key in answers,
  );
  const name = nameInAnswers(questions, answers);
  const texts = said.map((question) =>
    answerText(question, answers[question.key], { yes: "", no: "" }),
  );
  return (
    texts
      .map((text) => text.replaceAll(/\s+/g, " "))
      .find((text) => text !== "" && text !== name) ?? ""
  );
}

/** An answer as plain text, with the words of its choices. */
export function answerText(
  { options }: Pick<Question, "options">,
  value: unknown,
  words: { yes: string; no: string },
): string {
  const word = (one: unknown): string =>
    options?.find((option) => option.value === one)?.label ?? textOf(one);
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(word).join(", ");
  if (typeof value === "object" && value !== null)
    return Object.values(value).map(textOf).filter(Boolean).join(", ");
  return word(value);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** The name of the visitor, or else the first text that stands for the submission. */
export function nameInAnswers(questions: readonly Question[], answers: Answers): string {
  const mapped = (attribute: string) =>
    textOf(answers[questions.find((one) => one["maps-to"] === attribute)?.key ?? ""]);
  const parts = [mapped("first-name"), mapped("last-name")].filter(Boolean).join(" ");
  const first = () =>
    questions
      .filter(({ type }) => type === "text" || type === "email" || type === "phone")
      .map(({ key }) => textOf(answers[key]))
      .find(Boolean);
  return mapped("full-name") || parts || mapped("preferred-name") || (first() ?? "");
}
