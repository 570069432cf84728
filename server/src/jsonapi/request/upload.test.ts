import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../base/errors.ts";
import { fileNameIn } from "./upload.ts";

const asHeader = (text: string) => Buffer.from(text).toString("latin1");

test("a file name keeps its letters and loses directories and marks that change the direction", () => {
  const extended = (name: string) => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
  for (const [header, name] of [
    ['attachment; filename="guide.pdf"', "guide.pdf"],
    ["attachment; filename=guide.pdf", "guide.pdf"],
    ['ATTACHMENT; FILENAME="Study guide.pdf"', "Study guide.pdf"],
    [extended("Lição 1 – 日本.pdf"), "Lição 1 – 日本.pdf"],
    [asHeader('attachment; filename="Lição.pdf"'), "Lição.pdf"],
    ["attachment; filename=\"plan.pdf\"; filename*=UTF-8''pl%C3%A3o.pdf", "plão.pdf"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ['attachment; filename="C:\\\\temp\\\\a.txt"', "a.txt"],
    [extended("fdp\u202Eexe.pdf\u2066"), "fdpexe.pdf"],
    [extended("e\u0301.pdf"), "é.pdf"],
    [extended("a".repeat(255)), "a".repeat(255)],
    [extended("📄".repeat(255)), "📄".repeat(255)],
    ['attachment; filename=".htaccess"', ".htaccess"],
  ] as const)
    assert.equal(fileNameIn(header), name);
});

test("400 · a missing, empty, long or unprintable name, and another disposition", () => {
  for (const header of [
    undefined,
    "",
    "attachment",
    "inline; filename=a.pdf",
    'attachment; filename=""',
    'attachment; filename=".."',
    'attachment; filename="a/"',
    "attachment; filename*=UTF-8''%E2%80%AE",
    "attachment; filename*=UTF-8''a%00.pdf",
    "attachment; filename*=UTF-8''a%0D%0AX-Evil:1",
    "attachment; filename*=UTF-8''%FF%FE",
    `attachment; filename="${"a".repeat(300)}"`,
  ])
    assert.throws(
      () => fileNameIn(header),
      (error) => error instanceof ApiError && error.problems[0]?.code === "invalid-header",
      header,
    );
});
