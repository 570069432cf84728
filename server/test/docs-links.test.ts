import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const topLevel = (await readdir(root)).filter((name) => name.endsWith(".md"));
const nested = await Promise.all(
  ["docs/", "examples/"].map(async (folder) =>
    (await readdir(new URL(folder, root), { recursive: true }))
      .filter((name) => name.endsWith(".md"))
      .map((name) => folder + name.replaceAll("\\", "/")),
  ),
);

/** The anchors that GitHub derives from the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("every relative link in the documents leads to a file, and every anchor to a heading", async () => {
  const broken: string[] = [];
  for (const path of [...topLevel, ...nested.flat()]) {
    const text = await readFile(new URL(path, root), "utf8");
    for (const [, link = ""] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const target = new URL(link, new URL(path, root));
      const anchor = target.hash.slice(1);
      target.hash = "";
      const found = await stat(target).catch(() => undefined);
      if (!found) broken.push(`${path}: ${link}`);
      else if (anchor !== "" && !anchorsOf(await readFile(target, "utf8")).has(anchor))
        broken.push(`${path}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});
