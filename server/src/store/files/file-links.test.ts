import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../base/ids.ts";
import { FileLinks } from "./file-links.ts";

const [old, present] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const [accountId, fileId] = [newId(), newId()];
const made = new FileLinks("https://vestry.example", [old]).urlOf(accountId, `${fileId}?expires=9`);
const path = new URL(made).pathname + new URL(made).search;

test("a link outlives a change of the keys until its key is removed", () => {
  const read = (...keys: Uint8Array[]) => new FileLinks("", keys).read(path);
  assert.deepEqual(read(present, old), { accountId, fileId, expires: 9 });
  assert.equal(read(present), undefined);
});

test("a signature that decodes to the same bytes is not the same signature", () => {
  // The last of 43 characters carries only four bits.
  const twins = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    .map((last) => path.slice(0, -1) + last)
    .filter((twin) => new FileLinks("", [old]).read(twin));
  assert.deepEqual(twins, [path]);
});
