import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-po";

/** Folders of screens. Each has a catalog of its own, which arrives with its first screen. */
const AREAS = ["cells", "home", "people", "print", "sheet"];

/** What the pages before the log-in show, and pages without a frame. The frame arrives with the texts of everything else. */
const START = [
  "app/{login,login-form,attempt,set-password,not-found,problem-words}",
  "ui/{page,password-field,states,text}",
].map((files) => `<rootDir>/src/${files}.tsx`);

/** The sentences for errors, which arrive with the first error. */
const PROBLEMS = "<rootDir>/src/app/problem-sentences.tsx";

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "pt-BR", "es"],
  catalogs: [
    {
      path: "<rootDir>/src/locales/{locale}/frame",
      include: ["<rootDir>/src"],
      exclude: [...START, PROBLEMS, ...AREAS.map((area) => `<rootDir>/src/${area}/**`)],
    },
    { path: "<rootDir>/src/locales/{locale}/start", include: START },
    { path: "<rootDir>/src/locales/{locale}/problems", include: [PROBLEMS] },
    ...AREAS.map((area) => ({
      path: `<rootDir>/src/locales/{locale}/${area}`,
      include: [`<rootDir>/src/${area}`],
    })),
  ],
  runtimeConfigModule: { Trans: ["#trans", "Trans"] },
  // Line numbers would change with every edit of a screen.
  format: formatter({ lineNumbers: false }),
});
