import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { generated } from "../src/app/generate.ts";
import { type FreshDatabase, freshDatabase } from "./support/database.ts";

const root = new URL("../../", import.meta.url);

let database: FreshDatabase;
before(async () => {
  database = await freshDatabase();
});
after(() => database.close());

test("committed files equal the generated files", async () => {
  for (const [path, text] of await generated(database.db)) {
    const committed = await readFile(new URL(path, root), "utf8").catch(() => "");
    assert.ok(committed === text, `${path} is stale: run npm run generate`);
  }
});
