import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { describedCatalogue } from "../../../catalogue.ts";
import { isComputed, membersOf } from "../../../jsonapi/definition/members.ts";
import { isFollowed } from "../followed.ts";

const page = new URL("../../../../../docs/sync.md", import.meta.url);

test("docs/sync.md names the members that change without a row", async () => {
  const [, section = ""] = (await readFile(page, "utf8")).split("## Members without rows");
  const said = section.match(/^\| `.+$/gm) ?? [];
  const lines = [...describedCatalogue.resources.values()].filter(isFollowed).map((resource) => {
    const names = membersOf(resource).filter((name) => isComputed(resource, name));
    return names.length > 0
      ? [`| \`${resource.type}\` | ${names.map((name) => `\`${name}\``).join(", ")} |`]
      : [];
  });
  assert.deepEqual(said, lines.flat());
});
