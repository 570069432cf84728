import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readConfig } from "../../src/app/config.ts";
import { type Service, startService } from "../../src/app/service.ts";
import { type Observation, onObservation } from "../../src/base/observe.ts";
import { freePort } from "../../src/store/embedded.ts";
import { differencesOf, identityOf } from "../../src/webhooks/index.ts";
import { vestry } from "../support/command.ts";
import { asAdministrator, type FreshDatabase, freshDatabase } from "../support/database.ts";
import { makeAccount, makeEndpoint } from "../support/make.ts";

describe("webhooks of a copied database", () => {
  let directory: string;
  let original: FreshDatabase;
  let copyUrl: string;
  let metricsPort: number;
  let settings: Record<string, string>;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "vestry-copies-"));
    original = await freshDatabase("the database is copied");
    metricsPort = await freePort();
    settings = {
      DATA_DIR: join(directory, "data"),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: "silent",
      DEMO: "off",
    };
  });
  after(async () => {
    await original.close();
    await rm(directory, { recursive: true, force: true });
  });

  const start = (url: string, more: Record<string, string> = {}) =>
    startService({
      config: readConfig({ ...settings, DATABASE_URL: url, ...more }),
      role: "worker",
      say: () => undefined,
    });
  const ready = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).text();

  /** Resolves with the first observation of a kind. */
  const observed = (kind: Observation["kind"]) =>
    new Promise<Observation>((resolve) => {
      const end = onObservation((one) => {
        if (one.kind !== kind) return;
        end();
        resolve(one);
      });
    });

  test("the first start records the original, which sends again after every restart", async () => {
    const account = await makeAccount(original.db);
    await makeEndpoint(original.db, account.id);
    for (let starts = 0; starts < 2; starts += 1) {
      const seen = observed("queue-seen");
      const service = await start(original.url);
      await seen;
      assert.equal(await ready(), "ready\n");
      await service.stop("tested");
    }
  });

  test("a copy sends nothing and says so, until the operator releases it", async () => {
    const name = `${original.db.address.database}_copy`;
    copyUrl = original.url.replace(original.db.address.database, name);
    await original.goAway();
    await asAdministrator((admin) =>
      admin.query(
        `create database ${name} template ${original.db.address.database} owner ${new URL(original.url).username}`,
      ),
    );
    await original.comeBack();

    let claims = 0;
    const end = onObservation(({ kind }) => {
      if (kind === "queue-seen") claims += 1;
    });
    const paused = observed("webhooks-held");
    let service: Service | undefined;
    try {
      service = await start(copyUrl);
      assert.deepEqual(await paused, { kind: "webhooks-held", why: "another database" });
      assert.match(await ready(), /^ready\nWebhooks are held, .* npx vestry webhooks release\.\n$/);
      const env = { ...settings, DATABASE_URL: copyUrl };
      const doctor = await vestry(["doctor", "--json"], { env });
      assert.match(doctor.stdout, /"webhooks-held"/);
      assert.equal(claims, 0);

      const released = observed("webhooks-released");
      const sends = observed("queue-seen");
      assert.deepEqual((await vestry(["webhooks", "release", "--json"], { env })).json, {
        released: true,
      });
      await released;
      await sends;
      assert.equal(await ready(), "ready\n");
      assert.deepEqual((await vestry(["webhooks", "release", "--json"], { env })).json, {
        released: false,
      });
    } finally {
      end();
      await service?.stop("tested");
    }
  });

  test("a clone of a whole server is known by its PUBLIC_URL, and a node without that setting is not held", async () => {
    const at = (url?: string) => identityOf(original.db, { url });
    assert.deepEqual(await differencesOf(original.db, await at("https://vestry.example")), []);
    assert.deepEqual(await differencesOf(original.db, await at("https://trial.example")), [
      "another PUBLIC_URL",
    ]);
    assert.deepEqual(await differencesOf(original.db, await at()), []);
    assert.deepEqual(await differencesOf(original.db, await at("https://vestry.example")), []);
  });

  test("a copy of DATA_DIR has another directory", async () => {
    const [one, other] = [join(directory, "one"), join(directory, "other")];
    await mkdir(join(one, "postgres", "cluster"), { recursive: true });
    await cp(one, other, { recursive: true, preserveTimestamps: true });
    const of = (dataDir: string) => identityOf(original.db, { dataDir });
    assert.deepEqual(await of(one), await of(one));
    assert.notEqual((await of(one)).directory, (await of(other)).directory);
  });

  test("without an endpoint nothing is held, and the identity is recorded again", async () => {
    const empty = await freshDatabase("it has no endpoint");
    for (const server of ["1", "2"])
      assert.deepEqual(await differencesOf(empty.db, { server }), []);
    await makeEndpoint(empty.db, (await makeAccount(empty.db)).id);
    assert.deepEqual(await differencesOf(empty.db, { server: "1" }), ["another database server"]);
    assert.deepEqual(await differencesOf(empty.db, { server: "2" }), []);
    await empty.close();
  });
});
