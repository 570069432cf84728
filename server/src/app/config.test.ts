import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inspect, parseEnv } from "node:util";
import {
  ConfigurationError,
  dataDirectoryObstacle,
  encryptionKeysOf,
  knownKeysOf,
  noteOnUnknownSettings,
  defaults,
  type Environment,
  environment,
  readConfig,
  repositoryRoot,
} from "./config.ts";
import { formatNetwork } from "../base/networks.ts";
import { makeAuthority } from "../../test/support/certificates.ts";

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");

function mistakesOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.mistakes;
  }
  return [];
}

test("nothing set is a complete configuration", () => {
  assert.deepEqual(readConfig({}), {
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseShards: [],
    databasePoolers: [],
    dataDir: resolve(repositoryRoot, "data"),
    host: "127.0.0.1",
    port: 8080,
    publicUrl: "http://localhost:8080",
    appUrl: "http://localhost:8080",
    origins: ["http://localhost:8080", "http://127.0.0.1:8080"],
    trustedProxies: [],
    encryptionKeys: [],
    rateLimits: true,
    visitorLimits: true,
    logLevel: "info",
    metricsPort: 9464,
    demo: true,
    webhookAllowNetworks: [],
    webhookAuthorities: undefined,
    webhookDnsServers: [],
    mail: undefined,
    filesDir: resolve(repositoryRoot, "data/files"),
    filesS3: undefined,
  });
});

test("files are kept in the data directory, in another one, or in a bucket", () => {
  assert.equal(readConfig({ DATA_DIR: "/srv/vestry" }).filesDir, "/srv/vestry/files");
  const apart = { DATA_DIR: "/srv/vestry", FILES_DIR: "/mnt/files" };
  assert.equal(readConfig(apart).filesDir, "/mnt/files");
  const keys = { FILES_S3_ACCESS_KEY_ID: "id", FILES_S3_SECRET_ACCESS_KEY: "a-secret" };
  const config = readConfig({
    FILES_S3_BUCKET: "church",
    FILES_S3_PREFIX: "vestry/files",
    ...keys,
  });
  const { credentials, ...bucket } = config.filesS3 ?? {};
  assert.deepEqual(bucket, {
    endpoint: undefined,
    bucket: "church",
    region: "us-east-1",
    prefix: "vestry/files/",
  });
  assert.equal(credentials?.secretAccessKey(), "a-secret");
  assert.doesNotMatch(JSON.stringify(config) + inspect(config, { depth: 9 }), /a-secret/);

  assert.match(mistakesOf(keys)[0] ?? "", /^FILES_S3_BUCKET is empty/);
  const half = { FILES_S3_BUCKET: "church", FILES_S3_ACCESS_KEY_ID: "id" };
  assert.match(mistakesOf(half)[0] ?? "", /need each other$/);
  const wrong = { FILES_S3_BUCKET: "church", FILES_S3_PREFIX: "/vestry" };
  assert.match(mistakesOf(wrong)[0] ?? "", /^FILES_S3_PREFIX must be like vestry\/files/);
});

test("the direct address of a pooled database needs the address of the pooler", () => {
  const url = "postgres://vestry@db.example/vestry";
  assert.match(mistakesOf({ DATABASE_DIRECT_URL: url }).join(), /^DATABASE_DIRECT_URL needs/);
  const config = readConfig({ DATABASE_DIRECT_URL: url, DATABASE_URL: url });
  assert.equal(config.databaseDirectUrl, url);
});

test("outgoing mail needs an address of a mail server and a sender", () => {
  const url = "smtps://vestry:p%40ss@mail.church.example";
  const from = "vestry@church.example";
  assert.deepEqual(readConfig({ SMTP_URL: url, MAIL_FROM: from }).mail, { url, from });
  assert.equal(readConfig({ MAIL_FROM: from }).mail, undefined);
  assert.match(mistakesOf({ SMTP_URL: url }).join(), /^MAIL_FROM is empty/);
  assert.match(
    mistakesOf({ SMTP_URL: "http://mail", MAIL_FROM: from }).join(),
    /^SMTP_URL must be/,
  );
  for (const wrong of ["Vestry <vestry@church.example>", "a@b, c@d", "a@b\nBcc: c@d", "vestry"])
    assert.match(
      mistakesOf({ SMTP_URL: url, MAIL_FROM: wrong }).join(),
      /^MAIL_FROM must be/,
      wrong,
    );
});

test(".env.example names every setting with its default and says something about each", async () => {
  const text = await readFile(resolve(repositoryRoot, ".env.example"), "utf8");
  assert.deepEqual({ ...parseEnv(text) }, { ...defaults });
  assert.deepEqual(readConfig(parseEnv(text)), readConfig({}));

  const groups = text.split("\n\n").filter((group) => /^[A-Z_]+=/m.test(group));
  for (const group of groups) assert.match(group, /^#/, `say what this means: ${group}`);
});

test("addresses of poolers that differ only in their options are different", () => {
  const pooler = "postgres://vestry:secret@pooler/vestry";
  const poolersOf = (...options: string[]) =>
    readConfig({
      DATABASE_SHARDS: "postgres://one/vestry postgres://two/vestry",
      DATABASE_SHARD_POOLERS: options.map((one) => `${pooler}?options=${one}`).join(" "),
    }).databasePoolers;
  assert.equal(poolersOf("-c%20pgdog.shard=0", "-c%20pgdog.shard=1").length, 2);
  assert.throws(
    () => poolersOf("-c%20pgdog.shard=0", "-c%20pgdog.shard=0"),
    /names one database as address 1 and 2/,
  );
});

test("every mistake is reported at once, each in a sentence that begins with the setting", () => {
  const mistakes = mistakesOf({
    DATABASE_URL: "mysql://localhost/vestry",
    DATABASE_DIRECT_URL: "localhost:5432",
    DATABASE_SHARDS: "postgres://one/vestry postgres://two",
    DATABASE_SHARD_POOLERS: "pooler",
    HOST: "no such host",
    PORT: "80a",
    PUBLIC_URL: "church.example",
    APP_URL: "app.example",
    ORIGINS: "https://app.example/, https://ok.example",
    TRUSTED_PROXIES: "10.0.0.0/33, proxy.example",
    ENCRYPTION_KEYS: "first:c2hvcnQ=",
    RATE_LIMITS: "yes",
    VISITOR_LIMITS: "few",
    LOG_LEVEL: "loud",
    METRICS_PORT: "65536",
    DEMO: "false",
    WEBHOOK_ALLOW_NETWORKS: "10.0.0.0/33",
    WEBHOOK_CA_FILE: "no/such/file.pem",
    WEBHOOK_DNS_SERVERS: "dns.example",
    SMTP_URL: "mail.example:587",
    MAIL_FROM: "Vestry",
    FILES_S3_ENDPOINT: "s3.example",
    FILES_S3_BUCKET: "two words",
    FILES_S3_REGION: "the moon",
    FILES_S3_ACCESS_KEY_ID: "an id",
    FILES_S3_SECRET_ACCESS_KEY: "a secret",
    FILES_S3_PREFIX: "../files",
  });
  assert.deepEqual(
    mistakes.map((mistake) => mistake.split(" ")[0] ?? "").sort(),
    Object.keys(defaults)
      .filter((name) => !["DATA_DIR", "FILES_DIR"].includes(name)) // Any text is a path.
      .sort(),
  );
  assert.match(String(new ConfigurationError(mistakes)), /are wrong:\n {2}\S.*\n {2}\S/);
  for (const [name, value] of [
    ["HOST", "no such host"],
    ["PORT", "80a"],
    ["PUBLIC_URL", "church.example"],
    ["RATE_LIMITS", "yes"],
    ["LOG_LEVEL", "loud"],
    ["METRICS_PORT", "65536"],
  ] as const)
    assert.match(mistakes.find((each) => each.startsWith(name)) ?? "", new RegExp(`"${value}"$`));
});

test("space around a setting is none of it, and one that is empty is not set", () => {
  const config = readConfig({ PORT: " 81 ", LOG_LEVEL: "\tdebug\n", DATABASE_URL: "  ", DEMO: "" });
  assert.deepEqual(
    [config.port, config.logLevel, config.databaseUrl, config.demo],
    [81, "debug", undefined, true],
  );
});

test("a port is a whole number from 1 to 65535", () => {
  for (const port of [1, 65_535]) assert.equal(readConfig({ PORT: String(port) }).port, port);
  for (const port of ["0", "65536", "-1", "80.5", "8e1", "0x50", "on"])
    for (const name of ["PORT", "METRICS_PORT"])
      assert.match(String(mistakesOf({ [name]: port })), new RegExp(`^${name} must be`), port);
});

test("where to listen is an address or a name, and a number that is neither is refused", () => {
  for (const host of ["127.0.0.1", "::", "fe80::1", "localhost", "church.local", "4.church"])
    assert.equal(readConfig({ HOST: host }).host, host);
  for (const host of ["10.0.0", "80", "256.0.0.1", "-church", "church:80", "[::]", "http://a"])
    assert.match(String(mistakesOf({ HOST: host })), /^HOST must be/, host);
});

test("a public address has no credentials, query or fragment", () => {
  for (const more of ["?a=b", "#top"])
    assert.match(
      String(mistakesOf({ PUBLIC_URL: `https://church.example/${more}` })),
      /^PUBLIC_URL must be/,
    );
});

test("a relative directory is the repository's, wherever the command is typed", (context) => {
  const before = process.cwd();
  context.after(() => process.chdir(before));
  process.chdir(tmpdir());
  assert.equal(readConfig({ DATA_DIR: "own/data" }).dataDir, resolve(repositoryRoot, "own/data"));
  assert.equal(readConfig({ DATA_DIR: "/own/data" }).dataDir, resolve("/own/data"));
});

test("the public address decides the first-party origin, and the port decides the public address", () => {
  assert.deepEqual(readConfig({ PORT: "3000" }).origins, [
    "http://localhost:3000",
    "http://127.0.0.1:3000",
  ]);
  const config = readConfig({ PUBLIC_URL: "https://church.example/vestry/" });
  assert.equal(config.publicUrl, "https://church.example/vestry");
  assert.equal(config.appUrl, config.publicUrl);
  assert.deepEqual(config.origins, ["https://church.example"]);
  const app = readConfig({ PUBLIC_URL: "https://church.example", APP_URL: "https://app.example/" });
  assert.equal(app.appUrl, "https://app.example");
});

test("rate limits are on, off, or so many requests in so many seconds for those who are named", () => {
  const limitsOf = (text: string) => readConfig({ RATE_LIMITS: text }).rateLimits;
  assert.deepEqual([limitsOf("on"), limitsOf("off")], [true, false]);
  assert.deepEqual(limitsOf("user=600/20, client=6000/60"), {
    user: { requests: 600, windowMs: 20_000 },
    client: { requests: 6_000, windowMs: 60_000 },
  });
  for (const text of [
    "user=0/20",
    "user=5",
    "user=5/0",
    "user=5/20s",
    "users=5/20",
    "user=5/20,",
    "user=1/1,user=2/2",
  ])
    assert.match(
      mistakesOf({ RATE_LIMITS: text })[0] ?? "",
      /^RATE_LIMITS must be on, off, or quotas like /,
    );
});

test("origins are origins: a path, another scheme, a wildcard or upper case is refused", () => {
  for (const origin of ["https://a.example/x", "ftp://a.example", "*", "null", "https://A.example"])
    assert.equal(mistakesOf({ ORIGINS: origin }).length, 1, origin);
  const env = {
    PUBLIC_URL: "https://c.example",
    ORIGINS: "http://a.example:81, https://b.example",
  };
  assert.deepEqual(readConfig(env).origins, [
    "https://c.example",
    "http://a.example:81",
    "https://b.example",
  ]);
});

test("name servers are addresses, with a port if need be", () => {
  const servers = "9.9.9.9, 127.0.0.1:5353, ::1, [::1]:1, 127.0.0.1:65535";
  assert.deepEqual(
    readConfig({ WEBHOOK_DNS_SERVERS: servers }).webhookDnsServers,
    servers.split(", "),
  );
  for (const wrong of ["9.9.9", "127.0.0.1:0", "127.0.0.1:65536", "[::1", "::1:x"])
    assert.equal(mistakesOf({ WEBHOOK_DNS_SERVERS: wrong }).length, 1, wrong);
});

test("networks say which addresses they mean: bits beyond a length are refused, with the other mistakes", () => {
  const wrong = { TRUSTED_PROXIES: "10.0.0.1/8", WEBHOOK_ALLOW_NETWORKS: "::1, 10.0.0.1/8" };
  const mistakes = mistakesOf({ ...wrong, PORT: "80a" });
  assert.equal(mistakes.length, 3);
  for (const name of Object.keys(wrong))
    assert.match(
      mistakes.find((each) => each.startsWith(name)) ?? "",
      /without bits set after the length of a network\. Invalid: "10\.0\.0\.1\/8"$/,
    );
  const [mistake] = mistakesOf({ WEBHOOK_ALLOW_NETWORKS: "ana:hunter2@10.0.0.0/8" });
  assert.match(mistake ?? "", /"…@10\.0\.0\.0\/8"$/);
  const config = readConfig({
    TRUSTED_PROXIES: "::ffff:192.168.7.9, 10.0.0.0/8",
    WEBHOOK_ALLOW_NETWORKS: "192.168.7.9, fd00::/8",
  });
  assert.deepEqual(config.trustedProxies, ["192.168.7.9", "10.0.0.0/8"]);
  assert.deepEqual(config.webhookAllowNetworks.map(formatNetwork), ["192.168.7.9", "fd00::/8"]);
});

test("a network of all addresses is rejected as a proxy", () => {
  for (const everybody of ["0.0.0.0/0", "::/0", "127.0.0.1, ::ffff:0.0.0.0/96"])
    assert.match(String(mistakesOf({ TRUSTED_PROXIES: everybody })), /\/0 every client/, everybody);
});

test("every certificate of a file is read, and the block that is none is named", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "vestry-ca-"));
  context.after(() => rm(directory, { recursive: true }));
  const file = join(directory, "ca.pem");
  const [first, second] = [makeAuthority().cert.trim(), makeAuthority().cert.trim()];
  const read = async (text: string) => {
    await writeFile(file, text);
    return readConfig({ WEBHOOK_CA_FILE: file }).webhookAuthorities;
  };
  const both = `${first}\n${second}\n`;
  assert.equal(await read(`\uFEFF# Ours\n${first}\n\nthe next\r\n${second}\n# end`), both);

  const broken = (pem: string) => pem.replace(/\n[^-]{20}/, "\n????????????????????");
  const key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----";
  for (const [text, mistake] of [
    [[first, broken(second)], /wrong is block 2 of 2 in .*ca\.pem$/],
    [[broken(first), second], /wrong is block 1 of 2 /],
    [[first, second.replace(/\n-----END.*/s, "")], /wrong is block 2 of 2 /],
    [[first, second, key], /wrong is block 3 of 3 /],
    [["no certificate"], /has none$/],
    [[""], /has none$/],
  ] as const) {
    await writeFile(file, text.join("\n"));
    assert.match(String(mistakesOf({ WEBHOOK_CA_FILE: file, PORT: "80a" })), /^PORT .*,WEBHOOK/);
    assert.match(String(mistakesOf({ WEBHOOK_CA_FILE: file })), mistake);
  }
  for (const path of [directory, `${file}/below`])
    assert.match(String(mistakesOf({ WEBHOOK_CA_FILE: path })), /cannot read \((EISDIR|ENOTDIR)\)/);
});

test("a database may be reached by host name or by socket directory", () => {
  for (const url of [
    "postgres://u:p@db.example:5433/vestry",
    "postgresql://u:p@%2Frun%2Fpg/vestry",
  ])
    assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
  assert.equal(mistakesOf({ DATABASE_URL: "postgres://db.example" }).length, 1);
});

test("metrics have a port of their own, or are off", () => {
  assert.equal(readConfig({ METRICS_PORT: "off" }).metricsPort, undefined);
  assert.match(String(mistakesOf({ PORT: "9464" })), /must differ/);
});

test("the first encryption key is the first in the list, and none is ever printed", () => {
  const config = readConfig({ ENCRYPTION_KEYS: `new:${key(1)},old:${key(2)}` });
  assert.deepEqual(
    config.encryptionKeys.map((each) => [each.id, each.bytes()[0]]),
    [
      ["new", 1],
      ["old", 2],
    ],
  );
  for (const printed of [JSON.stringify(config), inspect(config, { depth: 9 })])
    assert.doesNotMatch(printed, /AQEB|0101|01 01/);
  assert.match(
    String(mistakesOf({ ENCRYPTION_KEYS: `a:${key(1)},a:${key(2)}` })),
    /a different name/,
  );
});

test("a mistake in a secret does not print the secret", () => {
  const [mistake] = mistakesOf({ ENCRYPTION_KEYS: `${key(7)}` });
  assert.ok(mistake !== undefined && !mistake.includes(key(7)));
  const [other] = mistakesOf({ DATABASE_URL: "postgres//u:hunter2@h/d" });
  assert.ok(other !== undefined && !other.includes("hunter2"));
  const address = "https://ana:hunter2@church.example";
  const told = mistakesOf({ PUBLIC_URL: address, ORIGINS: address }).join("\n");
  assert.match(told, /^PUBLIC_URL .*"…@church.example"\nORIGINS .*"…@church.example"$/);
});

test("a .env file is read, and the real environment wins over it", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "vestry-env-"));
  context.after(() => rm(directory, { recursive: true }));
  const file = join(directory, ".env");
  await writeFile(file, "VESTRY_TEST_ONE=file\nVESTRY_TEST_TWO=file\n");
  process.env["VESTRY_TEST_TWO"] = "environment";
  context.after(() => delete process.env["VESTRY_TEST_TWO"]);

  const read = environment(file);
  assert.equal(read["VESTRY_TEST_ONE"], "file");
  assert.equal(read["VESTRY_TEST_TWO"], "environment");
});

test("a .env file that cannot be read is a mistake like others", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "vestry-env-"));
  context.after(() => rm(directory, { recursive: true }));
  assert.throws(
    () => environment(directory),
    (error) =>
      error instanceof ConfigurationError && /cannot be read .*EISDIR/.test(String(error.mistakes)),
  );
  assert.equal(noteOnUnknownSettings(directory), undefined);
});

test("names in a .env file that are no settings are named, with what was probably meant", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "vestry-env-"));
  context.after(() => rm(directory, { recursive: true }));
  const file = join(directory, ".env");
  assert.equal(noteOnUnknownSettings(file), undefined, "there is no file");
  await writeFile(file, "METRIC_PORT=off\nPROT=80\nPORT=81\nport=82\nSMTP_HOST=mail.example\n");
  assert.match(
    noteOnUnknownSettings(file) ?? "",
    /: METRIC_PORT \(did you mean METRICS_PORT\?\), PROT \(did you mean PORT\?\), SMTP_HOST, port \(did you mean PORT\?\)\.$/,
  );
  await writeFile(file, "PORT=81\n");
  assert.equal(noteOnUnknownSettings(file), undefined);
});

test("keys that are set are all there are, whatever was made before, and then a directory is for the database alone", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "vestry-key-"));
  context.after(() => rm(directory, { recursive: true }));
  const own = readConfig({ DATA_DIR: directory });
  assert.deepEqual(
    encryptionKeysOf(own).map(({ id }) => id),
    ["own"],
  );
  const set = { ENCRYPTION_KEYS: `new:${key(1)}` };
  const config = readConfig({ DATA_DIR: directory, ...set });
  for (const keys of [encryptionKeysOf(config), knownKeysOf(config)])
    assert.deepEqual(
      keys.map(({ id }) => id),
      ["new"],
    );

  const unusable = { DATA_DIR: join(fileURLToPath(import.meta.url), "data") };
  const elsewhere = { DATABASE_URL: "postgres://vestry@db.example/vestry" };
  const isInTheWay = (env: Environment) =>
    dataDirectoryObstacle(readConfig({ ...unusable, ...env })) !== undefined;
  assert.deepEqual([{}, set, elsewhere, { ...elsewhere, ...set }].map(isInTheWay), [
    true,
    true,
    true,
    false,
  ]);
});

test("an installation without a key makes one, keeps it to itself, and finds it again", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "vestry-key-"));
  context.after(() => rm(directory, { recursive: true }));
  const config = readConfig({ DATA_DIR: directory });

  assert.deepEqual(knownKeysOf(config), [], "to look for one makes none");
  const [made] = encryptionKeysOf(config);
  const [found] = encryptionKeysOf(config);
  assert.equal(made?.bytes().length, 32);
  assert.deepEqual(found?.bytes(), made?.bytes());
  assert.equal((await stat(join(directory, "encryption-keys"))).mode & 0o777, 0o600);

  const file = join(directory, "encryption-keys");
  await writeFile(file, "damaged");
  assert.throws(() => encryptionKeysOf(config), ConfigurationError);
  await rm(file);
  await mkdir(file);
  assert.throws(() => encryptionKeysOf(config), /encryption-keys cannot be read .*EISDIR/);
  const below = readConfig({ DATA_DIR: join(fileURLToPath(import.meta.url), "data") });
  assert.throws(() => encryptionKeysOf(below), /config\.test\.ts is not a directory/);
});
