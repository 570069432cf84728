import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { CompiledIcuChoices, CompiledMessage } from "@lingui/message-utils/compileMessage";

const locales = fileURLToPath(new URL(".", import.meta.url));
const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const skip = !existsSync(packages) && "`npm run types` installs the packages that read catalogs";

describe("catalogs", { skip }, () => {
  for (const locale of readdirSync(locales, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)) {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;

    it(`${locale} has words for every message, with its placeholders and plurals`, async () => {
      const { formatter } = await import("@lingui/format-po");
      const { compileMessageOrThrow } = await import("@lingui/message-utils/compileMessage");
      // The catalogs of all areas share one table of messages in the app.
      const shared = new Map<string, string>();
      for (const filename of globSync(`${locale}/*.po`, { cwd: locales })) {
        const text = readFileSync(join(locales, filename), "utf8");
        const catalog = await formatter().parse(text, { locale, sourceLocale: "en", filename });
        for (const [id, { message = id, translation = "" }] of Object.entries(catalog)) {
          const place = `${filename}: ${message}`;
          assert.notEqual(translation, "", place);
          assert.equal(shared.get(id) ?? translation, translation, place);
          shared.set(id, translation);
          const words = compileMessageOrThrow(translation);
          assert.deepEqual(
            placeholdersOf(words),
            placeholdersOf(compileMessageOrThrow(message)),
            place,
          );
          for (const plural of pluralsOf(words))
            for (const category of categories) assert.ok(plural[category], `${place}: ${category}`);
        }
      }
      assert.ok(shared.size > 0);
    });
  }
});

it("each page waits for the catalogs with its texts", () => {
  const sources = fileURLToPath(new URL("..", import.meta.url));
  const catalogsOf = new Map<string, Set<string>>();
  const catalogs = globSync("en/*.po", { cwd: locales }).map((name) => basename(name, ".po"));
  for (const catalog of catalogs)
    for (const [, file = ""] of readFileSync(join(locales, `en/${catalog}.po`), "utf8").matchAll(
      /^#: src\/(\S+)/gm,
    ))
      catalogsOf.set(file, (catalogsOf.get(file) ?? new Set()).add(catalog));

  const lacking = new Set<string>();
  const seen = new Set<string>();
  /** Follows a chunk with the catalogs that are there when it is drawn. */
  function visit(chunk: string, spoken: ReadonlySet<string>): void {
    const visited = `${chunk} ${[...spoken].sort().join(" ")}`;
    if (seen.has(visited)) return;
    seen.add(visited);
    const files = new Set([chunk]);
    for (const file of files) {
      for (const catalog of catalogsOf.get(file) ?? [])
        if (!spoken.has(catalog)) lacking.add(`${file} needs ${catalog} in ${chunk}`);
      const text = readFileSync(join(sources, file), "utf8");
      const target = (path = "") => join(dirname(file), path).replaceAll("\\", "/");
      for (const [, path] of text.matchAll(/^import (?!type )[^;]*?"(\.[^"]+\.tsx?)";/gm))
        files.add(target(path));
      for (const [, path, names = ""] of text.matchAll(/\bimport\("([^"]+)"\)((,\s*"\w+")*)/g)) {
        const more = catalogs.filter((catalog) => names.includes(`"${catalog}"`));
        const isInFrame = file === "routes.tsx" && !/login|set-password/.test(path ?? "");
        visit(target(path), new Set([...spoken, ...more, ...(isInFrame ? ["frame"] : [])]));
      }
    }
  }
  visit("main.tsx", new Set(["start"]));
  assert.deepEqual([...lacking], [], "name the catalog in withTexts, or beside the screen");
  assert.ok(seen.size > 20);
});

/** The names of the values, and the tags of the elements, of a message. */
function placeholdersOf(message: CompiledMessage): string[] {
  const names = message.flatMap((token) =>
    typeof token === "string"
      ? (token.match(/<\/?\d+\/?>/g) ?? [])
      : [`{${token[0]}}`, ...branchesOf(token[2]).flatMap(placeholdersOf)],
  );
  return [...new Set(names)].sort();
}

/** The texts of each plural of a message, by category. */
function pluralsOf(message: CompiledMessage): CompiledIcuChoices[] {
  return message.flatMap((token) =>
    typeof token === "string" || token[1] !== "plural"
      ? []
      : [token[2] as CompiledIcuChoices, ...branchesOf(token[2]).flatMap(pluralsOf)],
  );
}

const branchesOf = (choices: unknown): CompiledMessage[] =>
  typeof choices === "object" && choices !== null
    ? Object.values(choices).filter(Array.isArray)
    : [];
