/** The questions of a form while they are edited. The service checks them when they are saved. */
import type { CustomFieldDefinition } from "@vestry/sdk";
import type { Choice, Question, QuestionType } from "../data/form-answers.ts";

/** What was not saved yet has a name that the service would reject. Its real name is made from its label. */
const UNSAVED = "new:";

/** A name for one more question among the keys, or for one more option among the values. */
export const newName = (names: readonly string[]): string => {
  const numbers = names.flatMap((name) =>
    name.startsWith(UNSAVED) ? [Number(name.slice(UNSAVED.length))] : [],
  );
  return `${UNSAVED}${Math.max(0, ...numbers) + 1}`;
};

export const hasOptions = (type: QuestionType): boolean =>
  type === "select" || type === "multi-select";
export const hasLength = (type: QuestionType): boolean => type === "text" || type === "long-text";
export const hasRange = (type: QuestionType): boolean => type === "number" || type === "date";
export const isYesOrNo = (type: QuestionType): boolean => type === "boolean" || type === "consent";
export const isAsked = (type: QuestionType): boolean => type !== "heading";

/** The attributes of a person that a question of a type can fill in. */
const ATTRIBUTES: Partial<Record<QuestionType, readonly string[]>> = {
  "text": [
    "full-name",
    "first-name",
    "last-name",
    "preferred-name",
    "occupation",
    "previous-church",
  ],
  "email": ["email"],
  "phone": ["phone"],
  "date": ["birthdate"],
  "address": ["address"],
  "select": ["sex", "marital-status"],
};

/** The custom fields that a question of a type can fill in. */
const CUSTOM: Partial<Record<QuestionType, readonly CustomFieldDefinition["type"][]>> = {
  "text": ["string", "url"],
  "long-text": ["text"],
  "email": ["email"],
  "phone": ["phone"],
  "number": ["integer", "decimal"],
  "date": ["date"],
  "boolean": ["boolean"],
  "select": ["select"],
  "multi-select": ["multi-select"],
};

/** What a question of a type can fill in: attributes of a person, then custom fields of the church. */
export const targetsOf = (
  type: QuestionType,
  custom: readonly (readonly [name: string, definition: CustomFieldDefinition])[],
): string[] => [
  ...(ATTRIBUTES[type] ?? []),
  ...custom
    .filter(([, definition]) => CUSTOM[type]?.includes(definition.type))
    .map(([name]) => `custom-properties.${name}`),
];

/** The list with one entry at another place. */
export function moved<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const rest = entries.filter((_, index) => index !== from);
  const entry = entries[from];
  return entry === undefined ? rest : rest.toSpliced(to, 0, entry);
}

/** The questions on which this one can depend: earlier ones with a few known answers. */
export const conditionsFor = (questions: readonly Question[], index: number): Question[] =>
  questions.slice(0, index).filter(({ type }) => isYesOrNo(type) || hasOptions(type));

/** Whether the question depends on one that stands below it, or is gone. */
export const isBroken = (questions: readonly Question[], index: number): boolean => {
  const condition = questions[index]?.["show-if"];
  return !!condition && conditionsFor(questions, index).every(({ key }) => key !== condition.field);
};

const KEY_LENGTH = 63;

/** A key of the interface: Latin letters, digits and hyphens. A label of another script has the fallback. */
export function keyFrom(label: string, fallback: string, taken: ReadonlySet<string>): string {
  const words = label
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, KEY_LENGTH - 4)
    .replace(/-+$/, "");
  const start = words || fallback;
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? start : `${start}-${number}`;
    if (!taken.has(key)) return key;
  }
}

/** Gives new questions and options the names under which answers are stored. Those that were saved keep theirs. */
export function withKeys(questions: readonly Question[]): Question[] {
  const keys = renamed(questions, ({ key }) => key, "question");
  const values = new Map(
    questions.map(({ key, options }) => [
      key,
      renamed(named(options ?? []), ({ value }) => value, "option"),
    ]),
  );
  return questions.map((question) => {
    const { key, options, "show-if": condition } = question;
    return {
      ...question,
      key: keys.get(key) ?? key,
      ...(options && {
        options: named(options).map(({ label, value }) => ({
          label,
          value: values.get(key)?.get(value) ?? value,
        })),
      }),
      ...(condition && {
        "show-if": {
          field: keys.get(condition.field) ?? condition.field,
          equals: values.get(condition.field)?.get(String(condition.equals)) ?? condition.equals,
        },
      }),
    };
  });
}

/** A new option without words is dropped. */
const named = (options: readonly Choice[]): Choice[] =>
  options.filter(({ label, value }) => label.trim() !== "" || !value.startsWith(UNSAVED));

/** The names of new entries, made from their labels. */
function renamed<Entry extends { label: string }>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  fallback: string,
): Map<string, string> {
  const isNew = (entry: Entry) => nameOf(entry).startsWith(UNSAVED);
  const taken = new Set(entries.filter((entry) => !isNew(entry)).map(nameOf));
  return new Map(
    entries.filter(isNew).map((entry) => {
      const name = keyFrom(entry.label, fallback, taken);
      taken.add(name);
      return [nameOf(entry), name];
    }),
  );
}

/** The question as the service takes it: without members that its type does not have, and without empty ones. */
export function asField(question: Question): Question {
  const { type } = question;
  const isUsed: Partial<Record<keyof Question, boolean>> = {
    "options": hasOptions(type),
    "min": hasRange(type),
    "max": hasRange(type),
    "max-length": hasLength(type),
    "required": isAsked(type) && type !== "hidden" && question.required === true,
    "maps-to": type in ATTRIBUTES || type in CUSTOM,
  };
  const members = Object.entries(question).filter(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      value !== "" &&
      (isUsed[name as keyof Question] ?? true),
  );
  return Object.fromEntries(members) as Question;
}
