import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-po";

/** The list of people shows few of the texts of its folder. */
const LIST = [
  "people/{columns-panel,filter-panel,list,lists,named-filter,person-line}.tsx",
  "people/{save-list-dialog,selection-actions,tools,use-people-menu}.tsx",
  "people/{sorts,use-people-view}.ts",
];

/** The files of each catalog. A page waits for the catalogs that it shows, so texts that appear later have their own. */
const CATALOGS: Record<string, string[]> = {
  // What pages without a frame can show.
  start: [
    "app/{attempt,new-password-field,not-found,problem-words}.tsx",
    "ui/{page,password-field,states,text}.tsx",
  ],
  login: ["app/{gate,login,login-form,set-password}.tsx"],
  // What opens over a page.
  over: ["app/{keys-sheet,log-out,palette}.tsx", "records/quick-add.tsx"],
  // The sentences for errors, which arrive with the first error.
  problems: ["app/problem-sentences.tsx"],
  // The words for values, columns and filters of people. The few other words of the room are in the catalog of the frame.
  records: ["records/{enums.ts,membership-status.tsx,people-columns.tsx,people-filter-words.ts}"],
  list: LIST,
  // A folder of screens arrives with its first screen.
  ...Object.fromEntries(
    ["cells", "forms", "history", "home", "people", "print", "profile", "sheet", "webhooks"].map(
      (folder) => [folder, [folder]],
    ),
  ),
};

const inSources = (paths: string[]) => paths.map((path) => `<rootDir>/src/${path}`);
const folder = (path: string) => (path.includes(".") ? path : `${path}/**`);

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "pt-BR", "es"],
  catalogs: [
    {
      path: "<rootDir>/src/locales/{locale}/frame",
      include: ["<rootDir>/src"],
      exclude: inSources(Object.values(CATALOGS).flat().map(folder)),
    },
    ...Object.entries(CATALOGS).map(([name, paths]) => ({
      path: `<rootDir>/src/locales/{locale}/${name}`,
      include: inSources(paths),
      exclude: name === "people" ? inSources(LIST) : [],
    })),
  ],
  runtimeConfigModule: { Trans: ["#trans", "Trans"] },
  // Line numbers would change with every edit of a screen.
  format: formatter({ lineNumbers: false }),
});
