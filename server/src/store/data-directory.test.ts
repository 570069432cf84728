import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DataDirectoryUnusable, makeDataDirectory, obstacleTo } from "./data-directory.ts";

const directory = await mkdtemp(join(tmpdir(), "vestry-directory-"));
after(() => rm(directory, { recursive: true }));

const problemOf = (dataDir: string) => obstacleTo(dataDir)?.problem;

test("checking a usable or missing directory reports no problem and creates nothing", () => {
  assert.equal(obstacleTo(directory), undefined);
  const later = join(directory, "new/data");
  assert.equal(obstacleTo(later), undefined);
  assert.ok(!existsSync(join(directory, "new")));
  makeDataDirectory(later);
  assert.ok(existsSync(later));
});

test("a file or directory in the way is named, at any level above the data directory", () => {
  const file = join(directory, "file");
  writeFileSync(file, "");
  assert.equal(
    problemOf(file),
    `The data directory ${file} cannot be used: it is not a directory.`,
  );
  const below = join(file, "a/data");
  assert.equal(
    problemOf(below),
    `The data directory ${below} cannot be made: ${file} is not a directory.`,
  );
  assert.throws(() => makeDataDirectory(below), DataDirectoryUnusable);

  const link = join(directory, "link");
  symlinkSync(join(directory, "gone"), link);
  assert.match(problemOf(join(link, "data")) ?? "", new RegExp(`: ${link} is a link that leads`));
});

const onLinux = { skip: process.platform === "linux" ? false : "needs /proc" };

test("the search for an existing parent ends at the root", onLinux, () => {
  assert.match(problemOf("/proc/nope/data") ?? "", /made: .*\/proc\b(?!\/)/);
});

const asOrdinaryUser = { skip: process.getuid?.() === 0 ? "root may write anywhere" : false };

test("a directory that this user may not write to is named", asOrdinaryUser, () => {
  const closed = join(directory, "closed");
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  assert.match(
    problemOf(join(closed, "a/data")) ?? "",
    new RegExp(`may not write to ${closed}\\.`),
  );
  assert.match(obstacleTo(closed)?.remedy ?? "", new RegExp(`chown -R \\d+:\\d+ ${closed}`));
  chmodSync(closed, 0);
  assert.match(
    problemOf(join(closed, "a/data")) ?? "",
    new RegExp(`may not write to ${closed}\\.`),
  );
});
