/** Up to two letters for a face without a photo: the first ones of the first and of the last name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstLetter(word ?? "")).join("");
}

export const firstLetter = (text: string): string =>
  [...new Intl.Segmenter().segment(text.trim())][0]?.segment.toLocaleUpperCase() ?? "";

/** The same name has the same hue on every screen. */
export function hue(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360_000;
  return sum % 360;
}
