import { insertion } from "../../src/store/sql.ts";
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { encryptionKeysOf, readConfig } from "../../src/app/config.ts";
import { examineKeys } from "../../src/app/encryption-keys.ts";
import { startService } from "../../src/app/service.ts";
import { freePort } from "../../src/store/embedded.ts";
import { Cipher } from "../../src/store/cipher.ts";
import { reencryptSecrets } from "../../src/webhooks/endpoints/reencrypt.ts";
import { SigningSecret } from "../../src/webhooks/endpoints/signing-secrets.ts";
import { vestry } from "../support/command.ts";
import { freshDatabase } from "../support/database.ts";
import { makeAccount, makeEndpoint } from "../support/make.ts";

const database = await freshDatabase("a new key re-encrypts every account");
after(() => database.close());
const { db, url } = database;

const bytes = (byte: number) => Buffer.alloc(32, byte);
const setting = (...ids: ["old" | "new" | "lost", number][]) =>
  ids.map(([id, byte]) => `${id}:${bytes(byte).toString("base64")}`).join(",");
const ring = (...ids: ["old" | "new" | "lost", number][]) =>
  new Cipher(ids.map(([id, byte]) => ({ id, bytes: () => bytes(byte) })));
const cipherOf = (id: "old" | "new" | "lost", byte: number) => ring([id, byte]);

const account = await makeAccount(db);
async function secretUnder(cipher: Cipher) {
  const endpointId = await makeEndpoint(db, account.id);
  const owner = { accountId: account.id, endpointId, generation: 1 };
  const secret = SigningSecret.generate();
  await db`
    insert into webhook_secrets (account_id, endpoint_id, generation, encrypted)
    values (${account.id}, ${endpointId}, 1, ${secret.encrypt(cipher, owner)})`;
  return {
    text: secret.revealOnce(),
    async read(with_: Cipher) {
      const [row] = await db<{ encrypted: Buffer }[]>`
        select encrypted from webhook_secrets where account_id = ${account.id} and endpoint_id = ${endpointId}`;
      return SigningSecret.decrypt(with_, row?.encrypted ?? Buffer.alloc(0), owner).revealOnce();
    },
  };
}

const run = (args: string[], keys: string) =>
  vestry([...args, "--json"], { env: { DATABASE_URL: url, ENCRYPTION_KEYS: keys } });

test("rotate · every secret can be decrypted with the new key alone", async () => {
  const secrets = [await secretUnder(cipherOf("old", 1)), await secretUnder(cipherOf("new", 2))];
  const first = await run(["keys", "rotate"], setting(["new", 2], ["old", 1]));
  assert.deepEqual(first.json, { rotated: 1, current: 1, unreadable: 0 });
  for (const secret of secrets) assert.equal(await secret.read(cipherOf("new", 2)), secret.text);
  const again = await run(["keys", "rotate"], setting(["new", 2]));
  assert.deepEqual(again.json, { rotated: 0, current: 2, unreadable: 0 });
});

test("rotate · re-encrypts more secrets than one batch, also of one endpoint", async () => {
  const [old, anew] = [cipherOf("old", 1), cipherOf("new", 2)];
  const endpointId = await makeEndpoint(db, account.id);
  const ownerOf = (generation: number) => ({ accountId: account.id, endpointId, generation });
  const secrets = Array.from({ length: 1_001 }, () => SigningSecret.generate());
  const rows = secrets.map((secret, index) => ({
    account_id: account.id,
    endpoint_id: endpointId,
    generation: index + 1,
    encrypted: secret.encrypt(old, ownerOf(index + 1)),
  }));
  await db`insert into webhook_secrets ${insertion(...rows)}`;
  const { current, rotated } = await reencryptSecrets(db, ring(["new", 2], ["old", 1]));
  assert.equal(rotated, secrets.length);
  const again = await reencryptSecrets(db, ring(["new", 2], ["old", 1]));
  assert.deepEqual(again, { rotated: 0, current: current + secrets.length, unreadable: 0 });
  const stored = await db<{ encrypted: Buffer; generation: number }[]>`
    delete from webhook_secrets where endpoint_id = ${endpointId} returning generation, encrypted`;
  for (const { encrypted, generation } of stored)
    assert.equal(
      SigningSecret.decrypt(anew, encrypted, ownerOf(generation)).revealOnce(),
      secrets[generation - 1]?.revealOnce(),
    );
});

test("rotate · a secret that is replaced during re-encryption keeps its new value", async () => {
  const endpointId = await makeEndpoint(db, account.id);
  const owner = { accountId: account.id, endpointId, generation: 1 };
  const [before, later] = [SigningSecret.generate(), SigningSecret.generate()];
  const [old, anew] = [cipherOf("old", 1), cipherOf("new", 2)];
  await db`
    insert into webhook_secrets (account_id, endpoint_id, generation, encrypted)
    values (${account.id}, ${endpointId}, 1, ${before.encrypt(old, owner)})`;
  const replace = () => db`
    update webhook_secrets set encrypted = ${later.encrypt(anew, owner)} where endpoint_id = ${endpointId}`;
  const meanwhile = new Proxy(db, {
    apply: (target, self, [strings, ...given]) =>
      String(strings).includes("update webhook_secrets")
        ? replace().then(() => Reflect.apply(target, self, [strings, ...given]))
        : Reflect.apply(target, self, [strings, ...given]),
  });
  const { rotated, unreadable } = await reencryptSecrets(meanwhile, ring(["new", 2], ["old", 1]));
  assert.deepEqual([rotated, unreadable], [0, 0]);
  const [row] = await db<{ encrypted: Buffer }[]>`
    delete from webhook_secrets where endpoint_id = ${endpointId} returning encrypted`;
  const stored = SigningSecret.decrypt(anew, row?.encrypted ?? Buffer.alloc(0), owner);
  assert.equal(stored.revealOnce(), later.revealOnce());
});

test("rotate · a secret whose key is missing stays unchanged and is counted, and list and doctor name the key", async () => {
  const lost = await secretUnder(cipherOf("lost", 3));
  const keys = setting(["new", 2]);
  const ran = await run(["keys", "rotate"], keys);
  assert.equal(ran.status, 1);
  assert.deepEqual(ran.json, { rotated: 0, current: 2, unreadable: 1 });
  assert.equal(await lost.read(cipherOf("lost", 3)), lost.text);
  assert.deepEqual((await run(["keys", "list"], keys)).json["keys"], [
    { id: "new", encrypts: true, configured: true, secrets: 2 },
    { id: "lost", encrypts: false, configured: false, secrets: 1 },
  ]);
  const { findings } = (await run(["doctor"], keys)).json as { findings: { code: string }[] };
  assert.ok(findings.some(({ code }) => code === "encryption-keys-missing"));
});

test("doctor · names the file of a generated key, whose content works in ENCRYPTION_KEYS", async (context) => {
  const [directory, elsewhere] = await Promise.all(
    [1, 2].map(() => mkdtemp(join(tmpdir(), "vestry-own-key-"))),
  );
  assert.ok(directory !== undefined && elsewhere !== undefined);
  context.after(() =>
    Promise.all([directory, elsewhere].map((one) => rm(one, { recursive: true }))),
  );
  const file = join(directory, "encryption-keys");
  const secret = await secretUnder(
    new Cipher(encryptionKeysOf(readConfig({ DATA_DIR: directory }))),
  );
  const ask = (args: string[], keys: string, dataDir = directory) =>
    vestry([...args, "--json"], {
      env: { DATABASE_URL: url, DATA_DIR: dataDir, ENCRYPTION_KEYS: keys },
    });
  const remedy = async (dataDir: string) => {
    const { findings } = (await ask(["doctor"], setting(["new", 2], ["lost", 3]), dataDir))
      .json as { findings: { code: string; remedy: string }[] };
    return findings.find(({ code }) => code === "encryption-keys-missing")?.remedy ?? "";
  };
  assert.ok((await remedy(directory)).startsWith(`${file} contains own`));
  assert.match(await remedy(elsewhere), /own.* DATA_DIR/);

  const ring = `${setting(["new", 2], ["lost", 3])},${(await readFile(file, "utf8")).trim()}`;
  assert.equal((await ask(["keys", "rotate"], ring)).json["unreadable"], 0);
  assert.equal(await secret.read(cipherOf("new", 2)), secret.text);
});

test("a start and rotate · a lost key file is refused with the name of the key, and no other key is generated", async (context) => {
  await secretUnder(cipherOf("new", 2));
  const directory = await mkdtemp(join(tmpdir(), "vestry-lost-key-"));
  context.after(() => rm(directory, { recursive: true }));
  const env = { DATABASE_URL: url, DATA_DIR: directory, METRICS_PORT: "off", LOG_LEVEL: "silent" };
  const words = /encrypted with the key .*new.*encryption-keys is missing/;
  const starting = startService({ config: readConfig(env), role: "api", say: () => undefined });
  await assert.rejects(starting, words);
  assert.match((await vestry(["keys", "rotate"], { env })).stderr, words);
  assert.deepEqual(await readdir(directory), []);
});

test("a start and doctor · another key of the same name is refused", async () => {
  await secretUnder(cipherOf("new", 2));
  await secretUnder(cipherOf("lost", 3));
  const env = { DATABASE_URL: url, ENCRYPTION_KEYS: setting(["new", 9]) };
  const said: string[] = [];
  const examine = (keys: string) =>
    examineKeys(db, readConfig({ ...env, ENCRYPTION_KEYS: keys }), (line) => void said.push(line));
  await assert.rejects(examine(env.ENCRYPTION_KEYS), /The key new of ENCRYPTION_KEYS decrypts no/);
  const config = readConfig({
    ...env,
    METRICS_PORT: "off",
    LOG_LEVEL: "silent",
    PORT: String(await freePort()),
  });
  const starting = startService({ config, role: "api", say: () => undefined });
  await assert.rejects(starting, /The key new of ENCRYPTION_KEYS decrypts no/);
  const { findings } = (await run(["doctor"], env.ENCRYPTION_KEYS)).json as {
    findings: { code: string }[];
  };
  assert.ok(findings.some(({ code }) => code === "encryption-keys-foreign"));
  await examine(setting(["new", 2]));
  assert.match(said.join(), /lost, which this node lacks/);
});

test("list, doctor and explain · generate no key", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "vestry-no-key-"));
  context.after(() => rm(directory, { recursive: true }));
  const env = { DATABASE_URL: url, DATA_DIR: directory, METRICS_PORT: "off" };
  for (const args of [["keys", "list"], ["doctor"], ["explain", "courses"]])
    await vestry([...args, "--json"], { env });
  assert.deepEqual(await readdir(directory), []);
});
