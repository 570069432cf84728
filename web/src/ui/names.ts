/** Letters and digits alone: brackets and combining marks make no face. */
const lettersOf = (text: string): string[] =>
  text
    .normalize()
    .split(/\s+/u)
    .flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0].toLocaleUpperCase() ?? []);

/** Up to two letters for a face without a photo: the first ones of the first and of the last name. */
export function initials(name: string): string {
  const letters = lettersOf(name);
  return [letters[0], ...letters.slice(1).slice(-1)].join("") || firstLetter(name);
}

/** A name without any letter, such as one of emoji, begins with its first sign. */
export const firstLetter = (text: string): string =>
  lettersOf(text)[0] ?? [...new Intl.Segmenter().segment(text.trim())][0]?.segment ?? "";

const folded = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Without regard to capitals and accents, as people search. */
export const contains = (label: string, text: string): boolean =>
  folded(label).includes(folded(text));

/** The same name has the same hue on every screen. */
export function hue(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360_000;
  return sum % 360;
}

const WRITTEN_LEFT =
  /[\p{Bidi_Control}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A text that is written to the left, between marks that keep the direction of the sentence around it. */
export const isolated = (text: string): string =>
  WRITTEN_LEFT.test(text) ? `\u2068${text}\u2069` : text;
