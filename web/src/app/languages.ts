import { i18n, type Messages } from "@lingui/core";
import type { Bootstrap } from "@vestry/sdk";
import { configureFormats } from "../ui/format.ts";
import { unlessLeaving } from "./updates.ts";

export const LANGUAGES = { en: "English", "pt-BR": "Português (Brasil)", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

/** Texts that arrive together: each area has a catalog of its own. `lingui.config.ts` says which files belong to it. */
export type Area =
  | "start"
  | "login"
  | "forms"
  | "history"
  | "frame"
  | "over"
  | "problems"
  | "records"
  | "cells"
  | "home"
  | "list"
  | "people"
  | "print"
  | "profile"
  | "sheet"
  | "webhooks";

const catalogs = import.meta.glob<{ messages: Messages }>("../locales/*/*.po");
const areas = new Set<Area>(["start"]);
let spoken: Language = "en";

async function messagesOf(language: Language, area: Area): Promise<Messages> {
  const catalog = await unlessLeaving(await catalogs[`../locales/${language}/${area}.po`]?.());
  if (!catalog) throw new Error(`${area} has no messages in ${language}.`);
  return catalog.messages;
}

/** Loads a module with the texts of its areas, which follow the language from now on. */
export async function withTexts<Module>(
  load: () => Promise<Module>,
  ...needed: Area[]
): Promise<Module> {
  try {
    const [module] = await Promise.all([load(), ...needed.map(speakIn)]);
    return await unlessLeaving(module);
  } catch (cause) {
    // The router reloads the page after the errors that browsers throw here. `public/recover.js` has done so already.
    throw new Error("A part of the app did not arrive.", { cause });
  }
}

async function speakIn(area: Area): Promise<void> {
  areas.add(area);
  i18n.load(spoken, await messagesOf(spoken, area));
}

/** The first wish that the app speaks: the person's, the account's, those of the browser. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): Language {
  for (const wish of wishes) {
    const language = wish?.split("-")[0];
    const match = Object.keys(LANGUAGES).find(
      (known) => known === wish || known.split("-")[0] === language,
    );
    if (match) return match as Language;
  }
  return "en";
}

/** Texts and formats for the session, or for the browser on pages without one. Everything shown is drawn again. */
export async function speakFor(
  session: Pick<Bootstrap, "person" | "account"> | null | undefined,
  last?: string | null,
): Promise<void> {
  const settings = session?.account.settings;
  const language = chooseLanguage([
    session?.person.locale,
    settings?.lang,
    ...navigator.languages,
    last,
  ]);
  let messages: Messages[];
  let loaded: number;
  do {
    loaded = areas.size;
    messages = await Promise.all([...areas].map((area) => messagesOf(language, area)));
    // A screen can arrive meanwhile.
  } while (loaded !== areas.size);
  configureFormats({
    language,
    country: settings?.country,
    timeZone: settings?.["time-zone"],
    currency: settings?.currency,
    firstWeekday: settings?.["first-weekday"],
    hour12: settings?.["time-format"] ? settings["time-format"] === "12h" : undefined,
  });
  document.documentElement.lang = language;
  document.documentElement.dir = /^(ar|fa|he|ur)\b/.test(language) ? "rtl" : "ltr";
  spoken = language;
  i18n.loadAndActivate({ locale: language, messages: Object.assign({}, ...messages) });
}
