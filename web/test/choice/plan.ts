import { sampleBy } from "../../../server/test/support/sample.ts";

/** Which tests run at which width, and which of them CI runs. */

/** The gallery looks at its components at both widths. */
export type Width = "1280" | "390" | "gallery";

/** A test at a width, as Playwright lists it. */
export type Test = { file: string; title: string; width: Width };

/** A journey runs at the width of its persona. */
const PERSONAS: Readonly<Record<string, Width>> = {
  "leader": "390",
  "member": "390",
  "new-leader": "390",
  "visitor": "390",
  "administrator": "1280",
  "developer": "1280",
  "form-manager": "1280",
  "pastor": "1280",
  "secretary": "1280",
  "supervisor": "1280",
  // Those that happen on phones are below.
  "any": "1280",
};

const ON_PHONES = [
  "any/has-a-wrong-clock",
  "any/is-killed-with-a-draft",
  "any/names",
  "any/session",
];

/** Their screens ask for the width. */
const AT_BOTH = [
  "administrator/connects-a-receiver",
  "developer/finds-a-delivery",
  "form-manager/makes-a-form",
  "secretary/prints-and-exports",
  "secretary/selects-all-but-some",
];

const LOSES_AN_ANSWER = "any/loses-an-answer";

/** The journeys of CI: each write of the app, and each of its promises about writes, once. */
const CORE: Readonly<Record<string, RegExp>> = {
  "administrator/connects-a-receiver": /^registers/,
  "any/is-killed-with-a-draft": /./,
  "any/loses-a-part-of-the-app": /a draft stays$/,
  "any/loses-a-right": /./,
  // Writes of other journeys are left out.
  [LOSES_AN_ANSWER]:
    /^(an? (anonymized|deleted|new household|new member|role|transfer|multiplication|closed)|the (end|card)) /,
  "any/session": /^(the person changes|another person|after the log-out|a write)/,
  "form-manager/makes-a-form": /^makes/,
  "leader/loses-the-group": /^stops/,
  "leader/loses-the-network": /./,
  "leader/reports-a-meeting": /./,
  "leader/reports-from-two-phones": /./,
  "leader/sees-the-own-group-alone": /./,
  "member/sees-the-own-record": /./,
  "new-leader/joins": /./,
  "pastor/decides-submissions": /^(accepts a sub|marks|a second)/,
  "pastor/follows-up": /./,
  "secretary/adds-people": /./,
  "secretary/changes-a-household": /^(a place|adds)/,
  "secretary/finds-and-corrects": /./,
  "secretary/moves-people": /./,
  "secretary/uses-the-keyboard-alone": /./,
  "secretary/works-beside-a-colleague": /^sees in the form/,
  "supervisor/decides": /./,
  "visitor/writes-to-the-church":
    /^a (visitor fills in a form, whose|newcomer asks to join a group and|visitor asks)/,
};

/** It shows every component, and no part of the app. */
export const GALLERY = "gallery.test.ts";

const SCREENS = "screens.test.ts";

/** `any/names` of `journeys/any/names.test.ts`. Undefined for the screens and the gallery. */
const nameOf = (file: string) => /^journeys\/(.+)\.test\.ts$/.exec(file)?.[1];

/** The widths of a file. */
export function widthsOf(file: string): readonly [Width, ...Width[]] {
  if (file === GALLERY) return ["gallery"];
  const name = nameOf(file);
  if (name === undefined || AT_BOTH.includes(name)) return ["1280", "390"];
  const width = PERSONAS[name.split("/")[0] ?? ""];
  if (width === undefined) throw new Error(`The plan of the tests knows no width for ${file}.`);
  return [ON_PHONES.includes(name) ? "390" : width];
}

/** Axe looks at the end of a journey at its first width. Screens and the gallery call it themselves. */
export const axeWidthOf = (file: string): Width | undefined =>
  nameOf(file) === undefined ? undefined : widthsOf(file)[0];

/** Whether a test runs unless everything does. In the language from right to left, screens are looked at on phones alone. */
export const isPlanned = ({ file, title, width }: Test): boolean =>
  widthsOf(file).includes(width) && !(title.endsWith("ar-XB") && width === "1280");

/** Of so many writes, CI loses the answer. */
const LOST_ANSWERS = 4;

/**
 * The tests of CI: the gallery, the core journeys, and each screen in one of its looks. The seed chooses the looks, and the writes
 * whose answer is lost.
 */
export function coreOf(tests: readonly Test[], seed: string): readonly Test[] {
  const core = tests.filter(isCore);
  const nameOfTest = ({ title, width }: Test) => `${title} ${width}`;
  const looks = core.filter(({ file }) => file === SCREENS);
  const lost = core.filter(({ file }) => nameOf(file) === LOSES_AN_ANSWER);
  const groupOf = ({ title }: Test) => title.replace(/ · .*$/, "");
  const chosen = new Set([
    ...core.filter((test) => !looks.includes(test) && !lost.includes(test)),
    ...sampleBy(seed, looks, { count: 1, groupOf, nameOf: nameOfTest, what: "looks of screens" }),
    ...sampleBy(seed, lost, {
      count: LOST_ANSWERS,
      nameOf: nameOfTest,
      what: "writes whose answer is lost",
    }),
  ]);
  return core.filter((test) => chosen.has(test));
}

/** Whether CI can run a test, of which it takes a sample. Journeys at two widths run at the first one there. */
function isCore(test: Test): boolean {
  const name = nameOf(test.file);
  if (name === undefined) return isPlanned(test);
  return widthsOf(test.file)[0] === test.width && (CORE[name]?.test(test.title) ?? false);
}

/** Entries of the plan that match no test. */
export function unknownEntries(tests: readonly Test[]): string[] {
  const names = tests.map(({ file, title }) => ({ name: nameOf(file), title }));
  const isThere = (one: string, title = /./) =>
    names.some((test) => test.name === one && title.test(test.title));
  return [
    ...[...ON_PHONES, ...AT_BOTH].filter((one) => !isThere(one)),
    ...Object.entries(CORE).flatMap(([one, title]) =>
      isThere(one, title) ? [] : [`${one} ${title}`],
    ),
  ];
}
