import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
