import type { Language } from "../../../mail/languages.ts";

/** The name of a person without identity, in the language of the account. */
export const anonymous: Readonly<Record<Language, string>> = {
  "en": "Anonymous",
  "pt-BR": "Anônimo",
  "es": "Anónimo",
};
