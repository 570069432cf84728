/** The languages of mails and of the pages that they link to. */
export const languages = ["en", "pt-BR", "es"] as const;

export type Language = (typeof languages)[number];

/** The first tag in a language of the service. `pt-PT` is close enough to `pt-BR`. The default is English. */
export function languageOf(...tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const primary = tag?.toLowerCase().split("-")[0];
    const found = languages.find((one) => one.split("-")[0] === primary);
    if (found) return found;
  }
  return "en";
}
