import assert from "node:assert/strict";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import {
  addFile,
  fileRemovals,
  filesJob,
  fileSweepJob,
  fileSweeps,
} from "../../src/jsonapi/sql/files.ts";
import { inTransaction } from "../../src/store/db.ts";
import { keyOf } from "../../src/store/files/file-store.ts";
import { freshDatabase } from "../support/database.ts";
import { filesIn, freshDirectory } from "../support/files.ts";
import { makeAccount, makeCourse } from "../support/make.ts";
import { testServices, until, workOn } from "../support/queues.ts";
import { PUBLIC_URL } from "../support/service.ts";

const database = await freshDatabase("the job collects files of every account");
const directory = await freshDirectory();
after(async () => {
  await database.close();
  await directory.remove();
});
const { db } = database;
const account = await makeAccount(db);
const files = filesIn(directory.path, PUBLIC_URL);
const services = { ...testServices(), files };

const DAY_AGO = new Date(Date.now() - 25 * 3_600_000);

async function storeBytes(key: string, modifiedAt: Date): Promise<string> {
  const path = join(directory.path, key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "bytes");
  await utimes(path, modifiedAt, modifiedAt);
  return key;
}

/** A file with its row. */
async function makeFile(): Promise<string> {
  const id = newId();
  const file = { id, name: "a.txt", mediaType: "text/plain", bytes: 5 } as const;
  await inTransaction(db, account.id, (tx) => addFile(tx, account.id, file));
  await storeBytes(keyOf(account.id, id), DAY_AGO);
  return id;
}

const keys = async () => (await Array.fromAsync(files.store.list())).map(({ key }) => key).sort();

test("files that a cascade left are discarded, and their bytes are removed", async (context) => {
  const courseId = await makeCourse(db, account.id);
  const [named, left] = [await makeFile(), await makeFile()];
  await db`update courses set image_id = ${named} where account_id = ${account.id} and id = ${courseId}`;
  assert.equal(await filesJob.run(db), 1);
  assert.equal(await filesJob.run(db), 0);
  workOn(context, database, [fileRemovals], services);
  await until(async () => ((await keys()).includes(keyOf(account.id, left)) ? undefined : true));
  assert.deepEqual(await keys(), [keyOf(account.id, named)]);
  const rows = await db<{ id: string }[]>`select id from files where account_id = ${account.id}`;
  assert.deepEqual(
    rows.map(({ id }) => id),
    [named],
  );
});

test("bytes without a row are removed after a day, and foreign objects stay", async (context) => {
  const courseId = await makeCourse(db, account.id);
  const named = await makeFile();
  await db`update courses set image_id = ${named} where account_id = ${account.id} and id = ${courseId}`;
  const kept = [
    keyOf(account.id, named),
    await storeBytes(keyOf(account.id, newId()), new Date()),
    await storeBytes(`incoming/${newId()}`, new Date()),
    await storeBytes("notes/readme.txt", DAY_AGO),
  ];
  const gone = [
    await storeBytes(keyOf(account.id, newId()), DAY_AGO),
    await storeBytes(keyOf(newId(), newId()), DAY_AGO),
    await storeBytes(`incoming/${newId()}`, DAY_AGO),
    await storeBytes(`incoming/${newId()}.jpeg`, DAY_AGO),
  ];
  await fileSweepJob.run(db);
  workOn(context, database, [fileSweeps], services);
  await until(async () => {
    const present = await keys();
    return gone.some((key) => present.includes(key)) ? undefined : true;
  });
  const present = await keys();
  for (const key of kept) assert.ok(present.includes(key), key);
});
