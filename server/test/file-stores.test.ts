import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { newId } from "../src/base/ids.ts";
import {
  type FileStore,
  keyOf,
  StorageFailed,
  verifyStore,
} from "../src/store/files/file-store.ts";
import { folderStore } from "../src/store/files/folder.ts";
import { s3Store } from "../src/store/files/s3.ts";
import { freshDirectory } from "./support/files.ts";

/** Both storages keep the same promises. The S3 server is another process, on the loopback interface. */

const directory = await freshDirectory();
const bucket = "church";
const credentials = { accessKeyId: "S3RVER", secretAccessKey: () => "S3RVER" };
const program = createRequire(import.meta.url).resolve("s3rver/bin/s3rver.js");
const server = spawn(
  process.execPath,
  [
    program,
    "-d",
    join(directory.path, "s3"),
    "-a",
    "127.0.0.1",
    "-p",
    "0",
    "--configure-bucket",
    bucket,
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
let endpoint = "";
before(async () => {
  for await (const line of createInterface(server.stdout)) {
    const port = /listening on \S+?:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    endpoint = `http://127.0.0.1:${port}`;
    break;
  }
  server.stdout.resume();
});
after(async () => {
  server.kill();
  await once(server, "exit");
  await directory.remove();
});

const settings = () => ({ endpoint, bucket, region: "us-east-1", credentials, prefix: "vestry/" });
const stores: Record<string, () => FileStore> = {
  "a folder": () => folderStore(join(directory.path, "files")),
  "a bucket": () => s3Store(settings()),
};

for (const [name, make] of Object.entries(stores))
  suite(name, () => {
    let store: FileStore;
    before(() => {
      store = make();
    });
    const content = randomBytes(300_000);
    const keep = async (key: string) => {
      const path = join(store.incoming, newId());
      await writeFile(path, content);
      await store.keep(path, key);
      return path;
    };
    const read = async (key: string, range?: { start: number; end: number }) => {
      const found = await store.read(key, range);
      return found && (await buffer(found));
    };
    const keys = async () => {
      const all: string[] = [];
      for await (const { key, modifiedAt } of store.list()) {
        assert.ok(modifiedAt instanceof Date);
        all.push(key);
      }
      return all.sort();
    };

    test("an empty storage lists nothing and can be verified", async () => {
      assert.deepEqual(await keys(), []);
      await verifyStore(store);
      assert.deepEqual(await keys(), []);
    });

    test("a file is read as it was stored, whole or in part, and listed until it is removed", async () => {
      const [one, other] = [keyOf(newId(), newId()), keyOf(newId(), newId())];
      const path = await keep(one);
      await keep(other);
      await assert.rejects(writeFile(path, "", { flag: "r" }), { code: "ENOENT" });
      assert.deepEqual(await read(one), content);
      assert.deepEqual(await read(one, { start: 5, end: 9 }), content.subarray(5, 10));
      assert.deepEqual(await keys(), [one, other].sort());
      await store.remove(one);
      await store.remove(one);
      assert.equal(await read(one), undefined);
      assert.deepEqual(await keys(), [other]);
      await store.remove(other);
    });
  });

test("a folder lists uploads that were never finished", async () => {
  const store = folderStore(join(directory.path, "unfinished"));
  const id = newId();
  await writeFile(join(store.incoming, id), "half");
  const [found] = await Array.fromAsync(store.list());
  assert.equal(found?.key, `incoming/${id}`);
});

test("a failing storage throws StorageFailed", async () => {
  const elsewhere = createServer((_request, response) => response.writeHead(403).end());
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const path = join(directory.path, newId());
  await writeFile(path, "Vestry");
  const broken: FileStore[] = [
    s3Store({ ...settings(), bucket: "missing" }),
    s3Store({ ...settings(), endpoint: `http://127.0.0.1:${port}` }),
    folderStore(join(path, "no-directory")),
  ];
  for (const store of broken)
    await assert.rejects(store.keep(path, keyOf(newId(), newId())), StorageFailed);
  elsewhere.close();
});
