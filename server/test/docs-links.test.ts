import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const topLevel = (await readdir(root)).filter((name) => name.endsWith(".md"));
const trees = await Promise.all(
  ["docs/", "examples/", "sdk/", "server/", "web/src/", "web/test/"].map(async (folder) =>
    (await readdir(new URL(folder, root), { recursive: true }))
      .map((name) => folder + name.replaceAll("\\", "/"))
      .filter((path) => !path.includes("node_modules/")),
  ),
);
const files = [...trees.flat(), "web/src", "web/test", "web/build.ts", "web/lingui.config.ts"];
const pages = [...topLevel, ...trees.flat().filter((path) => path.endsWith(".md"))];

/** The anchor that GitHub derives from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");

const anchorsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)));

test("every relative link in the documents leads to a file, and every anchor to a heading", async () => {
  const broken: string[] = [];
  for (const path of pages) {
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

test("every file that ARCHITECTURE, CONTRIBUTING, STYLE and the pages beside the code name exists", async () => {
  const missing: string[] = [];
  const besideCode = pages.filter((page) => /^(server|web)\/src\//.test(page));
  for (const page of ["ARCHITECTURE.md", "CONTRIBUTING.md", "STYLE.md", ...besideCode]) {
    const text = await readFile(new URL(page, root), "utf8");
    for (const [path] of text.matchAll(/(?<![\w./<>*-])[\w./-]+\.(?:ts|mjs|sql)\b/g))
      if (!files.some((file) => `/${file}`.endsWith(`/${path}`))) missing.push(`${page}: ${path}`);
  }
  assert.deepEqual(missing, []);
});

test("every folder in the tree of ARCHITECTURE exists, and every folder of src and test is in it", async () => {
  const text = await readFile(new URL("ARCHITECTURE.md", root), "utf8");
  const named = new Set<string>();
  const path: string[] = [];
  let top = "";
  for (const [, heading, indent = "", names = ""] of text.matchAll(
    /^(?:(server|web)\/|([│├└─ ]*)[├└]─ ((?:[\w-]+\/(?: |(?=<)|$))+))/gm,
  )) {
    if (heading !== undefined) {
      top = heading;
      continue;
    }
    path.length = indent.length / 3;
    for (const name of names.trim().split(" ")) named.add(`${top}/${path.join("")}${name}`);
    path.push(names.trim().split(" ").at(-1) ?? "");
  }
  const present = new Set(files.map((file) => `${file}/`));
  assert.deepEqual(
    [...named].filter((folder) => !present.has(folder)),
    [],
  );
  for (const parent of ["server/src", "server/test", "web/src"])
    for (const { name } of (
      await readdir(new URL(`${parent}/`, root), { withFileTypes: true })
    ).filter((one) => one.isDirectory()))
      assert.ok(named.has(`${parent}/${name}/`), `${parent}/${name}/ is missing`);
});

test("the file of a decision has the name of its title, and the index lists both", async () => {
  const folder = new URL("docs/decisions/", root);
  const index = await readFile(new URL("README.md", folder), "utf8");
  const listed = [...index.matchAll(/^\| \[\d{4}\]\(.*$/gm)].map(([line]) => line);
  const names = (await readdir(folder)).filter((name) => name !== "README.md").sort();
  const expected: string[] = [];
  for (const name of names) {
    const [, title = ""] = /^# (.+)\n/.exec(await readFile(new URL(name, folder), "utf8")) ?? [];
    const number = name.slice(0, 4);
    assert.equal(name, `${number}-${anchorOf(title)}.md`);
    expected.push(`| [${number}](${name}) | ${title} |`);
  }
  assert.deepEqual(listed, expected);
});
