import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "../../src/app/config.ts";
import { CannotStart } from "../../src/app/cannot-start.ts";
import { startService } from "../../src/app/service.ts";
import { freePort } from "../../src/store/embedded.ts";
import { freshDatabase } from "../support/database.ts";
import { vestry } from "../support/command.ts";

/** The passwords of the demo account are shown once, so a failed start must not create it. */

const directory = await mkdtemp(join(tmpdir(), "vestry-first-"));
const database = await freshDatabase("the first start finds no account");
after(async () => {
  await database.close();
  await rm(directory, { recursive: true });
});
const settings = {
  DATABASE_URL: database.url,
  DATA_DIR: join(directory, "data"),
  PORT: String(await freePort()),
  METRICS_PORT: "off",
  LOG_LEVEL: "silent",
  // The start prints a line about it after it has checked the ports and migrated the database.
  WEBHOOK_DNS_SERVERS: "127.0.0.1:5353",
};

const accounts = async () => (await database.db`select from accounts`).length;

test("a start that cannot write its key fails with the reason and creates no demo account", async () => {
  const file = join(directory, "file");
  await writeFile(file, "");
  const { status, stderr } = await vestry(["serve"], { env: { ...settings, DATA_DIR: file } });
  assert.equal(status, 1);
  assert.match(stderr, /is not a directory\. Set DATA_DIR .* Or set ENCRYPTION_KEYS: /);
  assert.doesNotMatch(stderr, /\n\s+at /);
  assert.equal(await accounts(), 0);
});

test("a start that loses its port creates no demo account; the next start shows the passwords", async () => {
  const config = readConfig(settings);
  let other: Server | undefined;
  const take = (line: string) => {
    if (line.startsWith("Webhooks resolve"))
      other = createServer().unref().listen(config.port, config.host);
  };
  await assert.rejects(
    startService({ config, role: "api", say: take }),
    (error) => error instanceof CannotStart && /PORT/.test(error.message),
  );
  assert.equal(await accounts(), 0);
  assert.ok(other);
  await once(other.close(), "close");

  const service = await startService({ config, role: "api", say: () => undefined });
  await service.stop("tested");
  assert.equal(service.demo?.logins.length, 7);
  assert.equal(await accounts(), 1);
});

test("a start migrates a new database", async (context) => {
  const own = await freshDatabase("the first start finds no account");
  context.after(() => own.close());
  await own.db`drop schema public cascade`;
  await own.db`create schema public`;
  const service = await startService({
    config: readConfig({ ...settings, DATABASE_URL: own.url }),
    role: "api",
    say: () => undefined,
  });
  await service.stop("tested");
  assert.equal(service.demo?.logins.length, 7);
});

test("the demo account is created with its token or not at all", async (context) => {
  const own = await freshDatabase("the first start finds no account");
  context.after(() => own.close());
  await own.db`alter table account_integrations add constraint nothing check (false)`;
  const start = () =>
    startService({
      config: readConfig({ ...settings, DATABASE_URL: own.url }),
      role: "api",
      say: () => undefined,
    });
  await assert.rejects(start());
  assert.deepEqual([...(await own.db`select from accounts`)], []);
  await own.db`alter table account_integrations drop constraint nothing`;
  const service = await start();
  assert.ok(service.demo?.integration.clientToken);
  await service.stop("tested");
});
