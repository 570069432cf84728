import assert from "node:assert/strict";
import { test } from "node:test";
import { affected } from "./affected.ts";
import { readMap, type TestMap } from "./map.ts";
import { type Importers, importersOf, partsWith } from "./parts.ts";
import { coreOf, isPlanned, type Test, type Width } from "./plan.ts";

const root = `${import.meta.dirname}/../../..`;
const importers = importersOf(root);
const parts = (module: string, known: Iterable<string> = readMap().parts) => {
  const found = partsWith(`web/src/${module}`, importers, new Set(known));
  return found && [...found].map((part) => part.slice("web/src/".length)).sort();
};

test("a module belongs to the parts of the app that import it, directly or through others", () => {
  assert.deepEqual(parts("home/birthdays.tsx"), ["home/home.tsx"]);
  assert.deepEqual(parts("people/person.tsx"), ["people/person.tsx"]);
  assert.deepEqual(parts("ui/bars.module.css"), ["cells/cell.tsx", "home/home.tsx"]);
  assert.deepEqual(parts("locales/en/home.po"), ["locales/en/home.po"]);
});

test("a module of the start, and one that no import leads to, belong to every page", () => {
  for (const module of ["routes.tsx", "ui/button.tsx", "ui/trans.tsx", "sw.js", "gone.tsx"])
    assert.equal(parts(module), undefined, module);
});

test("a part that the map does not know belongs to those that load it", () => {
  const known = ["web/src/people/list.tsx", "web/src/routes.tsx"];
  assert.deepEqual(parts("people/columns-panel.tsx", known), ["people/list.tsx"]);
});

test("journeys run at the width of their persona, and at both where the screen asks for it", () => {
  const widthsOf = (file: string, title = "") =>
    (["1280", "390"] as const).filter((width) => isPlanned({ file, title, width }));
  assert.deepEqual(widthsOf("journeys/leader/reports-a-meeting.test.ts"), ["390"]);
  assert.deepEqual(widthsOf("journeys/pastor/follows-up.test.ts"), ["1280"]);
  assert.deepEqual(widthsOf("journeys/any/session.test.ts"), ["390"]);
  assert.deepEqual(widthsOf("journeys/secretary/prints-and-exports.test.ts"), ["1280", "390"]);
  assert.deepEqual(widthsOf("screens.test.ts", "secretary › people · en"), ["1280", "390"]);
  assert.deepEqual(widthsOf("screens.test.ts", "secretary › people · ar-XB"), ["390"]);
  assert.throws(() => widthsOf("journeys/treasurer/counts.test.ts"), /no width for/);
});

const at = (width: Width, file: string, title: string): Test => ({ file, title, width });
const home = at("1280", "journeys/pastor/follows-up.test.ts", "finds");
const list = at("1280", "journeys/secretary/finds-and-corrects.test.ts", "corrects");
const reader = at("1280", "journeys/administrator/reads-the-history.test.ts", "reads");
const gallery = at("gallery", "gallery.test.ts", "button");
const tests = [home, list, reader, gallery];
const hashes = new Map(tests.map(({ file }) => [file, `hash of ${file}`]));
const map: TestMap = {
  parts: ["web/src/home.tsx", "web/src/list.tsx", "web/src/history.tsx"],
  files: Object.fromEntries(
    tests.map(({ file, title }, index) => [
      file,
      { hash: `hash of ${file}`, tests: { [title]: file === gallery.file ? "" : String(index) } },
    ]),
  ),
};
const ofApp: Importers = new Map([
  ["web/src/home.tsx", [{ from: "web/src/main.tsx", isLate: true }]],
  ["web/src/list.tsx", [{ from: "web/src/main.tsx", isLate: true }]],
  ["web/src/ui/row.tsx", [{ from: "web/src/list.tsx", isLate: false }]],
]);
const affectedBy = (changed: string[], of = hashes) =>
  affected(tests, changed, map, ofApp, of, "1");

test("a change of a screen affects the tests that load it, and a component also the gallery", () => {
  assert.deepEqual(affectedBy(["web/src/home.tsx"]), [home]);
  assert.deepEqual(affectedBy(["web/src/ui/row.tsx"]), [list, gallery]);
});

test("a change of a test affects this test, and one of documents and pure tests none", () => {
  assert.deepEqual(affectedBy([`web/test/${reader.file}`]), [reader]);
  assert.deepEqual(affectedBy(["README.md", "web/src/data/once.test.ts"]), []);
});

test("a change of the service, the packages or the bed affects every test", () => {
  for (const file of ["server/src/app/service.ts", "web/package-lock.json", "web/test/bed.ts"])
    assert.deepEqual(affectedBy([file]), tests, file);
});

test("a test that is newer than the map is affected by every change of a screen", () => {
  const newer = new Map([...hashes, [reader.file, "another hash"]]);
  assert.deepEqual(affectedBy(["web/src/home.tsx"], newer), [home, reader]);
  assert.deepEqual(affectedBy(["docs/x.md"], newer), []);
});

test("of more tests than a change can wait for, those of CI run", () => {
  const many = Array.from({ length: 50 }, (_, index) => at("1280", reader.file, `reads ${index}`));
  const chosen = affected([...many, home], ["server/x.ts"], map, ofApp, hashes, "1");
  assert.deepEqual(chosen, [home]);
});

test("of the looks of a screen, CI takes one", () => {
  const looks = ["people", "person"].flatMap((screen) => [
    at("390", "screens.test.ts", `secretary › ${screen} · en`),
    at("1280", "screens.test.ts", `secretary › ${screen} · en`),
    at("390", "screens.test.ts", `secretary › ${screen} · ar-XB`),
  ]);
  const chosen = coreOf([home, reader, ...looks], "1");
  assert.deepEqual(
    chosen.map(({ title }) => title.replace(/ · .*/, "")),
    ["finds", "secretary › people", "secretary › person"],
  );
});
