import { randomBytes, X509Certificate } from "node:crypto";
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, parseEnv } from "node:util";
import { ownOrigins } from "../access/session-cookie.ts";
import { SECOND } from "../base/clock.ts";
import { type GivenQuotas, limitedCallers } from "../base/limits.ts";
import { nearest } from "../base/nearest.ts";
import { formatNetwork, type Network, parseNetworks } from "../base/networks.ts";
import type { MailSettings } from "../mail/mailer.ts";
import { makeDataDirectory, type Obstacle, obstacleTo } from "../store/data-directory.ts";
import type { S3Settings } from "../store/files/s3.ts";

/**
 * The configuration. The executable reads it once and passes it on, and no other code reads the environment.
 * `.env.example` explains each setting, and a test compares the two.
 */
export interface Config {
  /** Absent: the service runs the embedded PostgreSQL with its data in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** PostgreSQL itself, if `databaseUrl` leads to a pooler in transaction mode. */
  readonly databaseDirectUrl: string | undefined;
  /** The servers over which accounts are spread, the home first. Empty: there is one, that of `databaseUrl`. */
  readonly databaseShards: readonly string[];
  /** The poolers in front of `databaseShards`, in the same order, if there are any. */
  readonly databasePoolers: readonly string[];
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The address at which people log in. Invitations name it. */
  readonly appUrl: string;
  /** The first-party origins, the service's own first: `https://church.example`, never with a path. */
  readonly origins: readonly string[];
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** The first key encrypts, and all keys decrypt. If it is empty, the service generates a key in `dataDir`. */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly rateLimits: boolean | GivenQuotas;
  readonly visitorLimits: boolean;
  readonly logLevel: LogLevel;
  /** Absent: no metrics are served. */
  readonly metricsPort: number | undefined;
  readonly demo: boolean;
  /** Private networks to which webhooks may be sent. */
  readonly webhookAllowNetworks: readonly Network[];
  /** Certificates in PEM that are trusted in addition to the usual ones. */
  readonly webhookAuthorities: string | undefined;
  /** `address` or `address:port`. The default is the system's. */
  readonly webhookDnsServers: readonly string[];
  /** Absent: the service sends no mail. */
  readonly mail: MailSettings | undefined;
  /** Where files are kept, unless `filesS3` is set. */
  readonly filesDir: string;
  readonly filesS3: S3Settings | undefined;
}

export const repositoryRoot = fileURLToPath(new URL("../../../", import.meta.url));

/** Default values. A default is empty if it is computed from other settings. */
export const defaults = {
  DATABASE_URL: "",
  DATABASE_DIRECT_URL: "",
  DATABASE_SHARDS: "",
  DATABASE_SHARD_POOLERS: "",
  DATA_DIR: "data",
  HOST: "127.0.0.1",
  PORT: "8080",
  PUBLIC_URL: "",
  APP_URL: "",
  ORIGINS: "",
  TRUSTED_PROXIES: "",
  ENCRYPTION_KEYS: "",
  RATE_LIMITS: "on",
  VISITOR_LIMITS: "on",
  LOG_LEVEL: "info",
  METRICS_PORT: "9464",
  DEMO: "on",
  WEBHOOK_ALLOW_NETWORKS: "",
  WEBHOOK_CA_FILE: "",
  WEBHOOK_DNS_SERVERS: "",
  SMTP_URL: "",
  MAIL_FROM: "",
  FILES_DIR: "",
  FILES_S3_ENDPOINT: "",
  FILES_S3_BUCKET: "",
  FILES_S3_REGION: "us-east-1",
  FILES_S3_ACCESS_KEY_ID: "",
  FILES_S3_SECRET_ACCESS_KEY: "",
  FILES_S3_PREFIX: "",
} as const;

export type Setting = keyof typeof defaults;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** 32 bytes that no log line, error or debugger prints. */
export class EncryptionKey {
  readonly id: string;
  readonly #bytes: Buffer;

  constructor(id: string, bytes: Buffer) {
    this.id = id;
    this.#bytes = bytes;
  }

  bytes(): Buffer {
    return this.#bytes;
  }

  toJSON(): string {
    return `[encryption key ${this.id}]`;
  }

  [inspect.custom](): string {
    return this.toJSON();
  }
}

export class ConfigurationError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(
      [
        "These settings are wrong:",
        ...mistakes.map((mistake) => `  ${mistake}`),
        ".env.example explains every setting.",
      ].join("\n"),
    );
    this.name = "ConfigurationError";
    this.mistakes = mistakes;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const envFile = resolve(repositoryRoot, ".env");

/** The environment of this process, over a `.env` file in the repository root if there is one. */
export function environment(file = envFile): Environment {
  return { ...readEnvFile(file), ...process.env };
}

function readEnvFile(file: string): Environment {
  if (!existsSync(file)) return {};
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([`${file} cannot be read by this user (${code})`]);
  }
}

function namesIn(file: string): string[] {
  try {
    return Object.keys(readEnvFile(file));
  } catch {
    return []; // Reading the settings reports the error.
  }
}

/**
 * A note about unknown names in a `.env` file, if there are any. They are allowed, because the file may serve other
 * programs, too. The environment is not checked, because it is full of other names.
 */
export function noteOnUnknownSettings(file: string): string | undefined {
  const unknown = namesIn(file)
    .filter((name) => !Object.hasOwn(defaults, name))
    .map((name) => {
      const [meant] = nearest(name.toUpperCase(), Object.keys(defaults));
      return meant === undefined ? name : `${name} (did you mean ${meant}?)`;
    });
  if (unknown.length === 0) return undefined;
  return `In .env, these names are not settings of Vestry and are ignored: ${unknown.join(", ")}.`;
}

/** Reads every setting before it throws, so that one start shows every mistake. */
export function readConfig(env: Environment): Config {
  const mistakes: string[] = [];

  /** An empty setting counts as unset, because files and containers unset a setting with `FOO=`. */
  function read<T>(name: Setting, parse: (text: string) => T, unset: T): T {
    const text = env[name]?.trim();
    if (text === undefined || text === "") return unset;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      mistakes.push(`${name} ${error.message}`);
      return unset;
    }
  }

  const isSet = (...names: Setting[]) => names.some((name) => env[name]?.trim());

  function readS3(): S3Settings | undefined {
    const bucket = read("FILES_S3_BUCKET", asWord, undefined);
    const accessKeyId = read("FILES_S3_ACCESS_KEY_ID", asWord, undefined);
    const secretAccessKey = read("FILES_S3_SECRET_ACCESS_KEY", asWord, undefined);
    const endpoint = read("FILES_S3_ENDPOINT", asPublicUrl, undefined);
    const region = read("FILES_S3_REGION", asWord, defaults.FILES_S3_REGION);
    const prefix = read("FILES_S3_PREFIX", asPrefix, "");
    if (isSet("FILES_S3_ACCESS_KEY_ID") !== isSet("FILES_S3_SECRET_ACCESS_KEY"))
      mistakes.push("FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY need each other");
    if (
      !isSet("FILES_S3_BUCKET") &&
      (isSet("FILES_S3_ENDPOINT") || isSet("FILES_S3_ACCESS_KEY_ID"))
    )
      mistakes.push("FILES_S3_BUCKET is empty, and the other FILES_S3 settings need it");
    if (bucket === undefined) return undefined;
    const credentials =
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey: () => secretAccessKey };
    return { endpoint, bucket, region, credentials, prefix };
  }

  const port = read("PORT", asPort, Number(defaults.PORT));
  const publicUrl = read("PUBLIC_URL", asPublicUrl, `http://localhost:${port}`);
  const smtpUrl = read("SMTP_URL", asSmtpUrl, undefined);
  const mailFrom = read("MAIL_FROM", asMailAddress, undefined);
  const dataDir = read("DATA_DIR", asDirectory, asDirectory(defaults.DATA_DIR));
  const databaseShards = read("DATABASE_SHARDS", asDatabaseUrls, []);
  const config: Config = {
    databaseUrl: read("DATABASE_URL", asDatabaseUrl, databaseShards[0]),
    databaseDirectUrl: read("DATABASE_DIRECT_URL", asDatabaseUrl, undefined),
    databaseShards,
    databasePoolers: read("DATABASE_SHARD_POOLERS", asDatabaseUrls, []),
    dataDir,
    host: read("HOST", asHost, defaults.HOST),
    port,
    publicUrl,
    appUrl: read("APP_URL", asPublicUrl, publicUrl),
    origins: [...new Set([...ownOrigins(publicUrl), ...read("ORIGINS", asOrigins, [])])],
    trustedProxies: read("TRUSTED_PROXIES", asTrustedProxies, []),
    encryptionKeys: read("ENCRYPTION_KEYS", asEncryptionKeys, []),
    rateLimits: read("RATE_LIMITS", asRateLimits, true),
    visitorLimits: read("VISITOR_LIMITS", asSwitch, true),
    logLevel: read("LOG_LEVEL", asLogLevel, defaults.LOG_LEVEL),
    metricsPort: read("METRICS_PORT", asPortOrOff, Number(defaults.METRICS_PORT)),
    demo: read("DEMO", asSwitch, true),
    webhookAllowNetworks: read("WEBHOOK_ALLOW_NETWORKS", asNetworks, []),
    webhookAuthorities: read("WEBHOOK_CA_FILE", asCertificates, undefined),
    webhookDnsServers: read("WEBHOOK_DNS_SERVERS", asDnsServers, []),
    mail: smtpUrl === undefined ? undefined : { url: smtpUrl, from: mailFrom ?? "" },
    filesDir: read("FILES_DIR", asDirectory, resolve(dataDir, "files")),
    filesS3: readS3(),
  };

  if (smtpUrl !== undefined && !env["MAIL_FROM"]?.trim())
    mistakes.push("MAIL_FROM is empty, and SMTP_URL needs the address that mails come from");
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined)
    mistakes.push("DATABASE_DIRECT_URL needs the address of the pooler in DATABASE_URL");
  if (databaseShards.length > 0 && isSet("DATABASE_URL", "DATABASE_DIRECT_URL"))
    mistakes.push(
      "DATABASE_SHARDS lists all servers, so DATABASE_URL and DATABASE_DIRECT_URL must be empty",
    );
  const poolers = config.databasePoolers.length;
  if (poolers > 0 && poolers !== databaseShards.length)
    mistakes.push(
      "DATABASE_SHARD_POOLERS must list one address for each of DATABASE_SHARDS, in the same order",
    );
  if (config.metricsPort === config.port)
    mistakes.push("METRICS_PORT and PORT must differ, because each has its own listener");
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return config;
}

/**
 * The keys of the configuration, or the key that the first start generated in `dataDir`. The generated key is never
 * replaced, because the data that it encrypted would be lost.
 */
export function encryptionKeysOf(config: Config): readonly EncryptionKey[] {
  const file = keyFileOf(config);
  if (config.encryptionKeys.length === 0 && !existsSync(file)) {
    makeDataDirectory(config.dataDir);
    makeKeyFile(file);
  }
  return knownKeysOf(config);
}

/** Why `dataDir` cannot be used, if it is needed: for the database or, with DATABASE_URL, for the generated key. */
export function dataDirectoryObstacle(config: Config): Obstacle | undefined {
  const { databaseUrl, dataDir, encryptionKeys } = config;
  if (databaseUrl === undefined) return obstacleTo(dataDir);
  if (encryptionKeys.length > 0 || existsSync(keyFileOf(config))) return undefined;
  const obstacle = obstacleTo(dataDir);
  const orElse = "Or set ENCRYPTION_KEYS: with DATABASE_URL, the directory contains only a key.";
  return obstacle && { ...obstacle, remedy: `${obstacle.remedy} ${orElse}` };
}

/** The known keys, without generating one. */
export function knownKeysOf(config: Config): readonly EncryptionKey[] {
  return config.encryptionKeys.length > 0 ? config.encryptionKeys : keysInFileOf(config);
}

/** The keys in the file of `dataDir`, even if ENCRYPTION_KEYS is set. */
export function keysInFileOf(config: Config): readonly EncryptionKey[] {
  const file = keyFileOf(config);
  if (!existsSync(file)) return [];
  try {
    return asEncryptionKeys(readFileSync(file, "utf8").trim());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const mistake = error instanceof Mistake ? message : `cannot be read by this user (${code})`;
    throw new ConfigurationError([`${file} ${mistake}`]);
  }
}

/** The name of the key that an installation generates for itself. */
export const OWN_KEY = "own";

export const keyFileOf = ({ dataDir }: Config): string => resolve(dataDir, "encryption-keys");

function makeKeyFile(file: string): void {
  // A complete temporary file is linked into place, so the file is never partial and the first of two nodes wins.
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, `${OWN_KEY}:${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([
      `ENCRYPTION_KEYS is empty, and no key can be written to ${file} (${code}). Set ENCRYPTION_KEYS or correct DATA_DIR`,
    ]);
  }
  try {
    linkSync(aside, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    unlinkSync(aside);
  }
}

/** The message continues a sentence that starts with the name of the setting. It never contains a secret. */
class Mistake extends Error {}

/** Hides the part before an @, which may be a password. Secret settings are never quoted. */
const quoted = (text: string): string => JSON.stringify(text.replace(/^.*@/s, "…@"));

function asUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function asDatabaseUrl(text: string): string {
  const url = asUrl(text);
  if (url?.protocol !== "postgres:" && url?.protocol !== "postgresql:")
    throw new Mistake(
      "must be a postgres:// address, like postgres://user:password@host:5432/vestry",
    );
  if (url.hostname === "" || url.pathname.length < 2)
    throw new Mistake("must name a host and a database, like postgres://user:password@host/vestry");
  return text;
}

/** A mistake names the place and not the address, which contains a password. */
function asDatabaseUrls(text: string): string[] {
  const urls = text.split(/[\s,]+/).filter((one) => one !== "");
  urls.forEach((one, index) => {
    try {
      asDatabaseUrl(one);
    } catch (error) {
      throw new Mistake(`has a mistake in address ${index + 1}: it ${(error as Mistake).message}`);
    }
  });
  const places = urls.map((one) => {
    const { host, pathname, searchParams } = new URL(one);
    // A pooler can tell its servers apart by an option, such as `-c pgdog.shard=1`.
    return `${host}${pathname} ${searchParams.get("options") ?? ""}`;
  });
  const twice = places.findIndex((place, index) => places.indexOf(place) < index);
  if (twice > 0)
    throw new Mistake(
      `names one database as address ${places.indexOf(places[twice] ?? "") + 1} and ${twice + 1}`,
    );
  return urls;
}

function asSmtpUrl(text: string): string {
  const url = asUrl(text);
  if (!url || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "")
    throw new Mistake(
      "must be an smtp:// or smtps:// address, like smtp://user:password@mail.example:587, with special characters of the password percent-encoded",
    );
  return text;
}

function asMailAddress(text: string): string {
  if (!/^[^\s@<>",;:]+@[^\s@<>",;:]+$/.test(text))
    throw new Mistake(
      `must be one e-mail address, like vestry@church.example, and is ${JSON.stringify(text)}`,
    );
  return text;
}

function asDirectory(text: string): string {
  // Relative to the repository, so that commands in every directory use the same data.
  return resolve(repositoryRoot, text);
}

/** May be a secret, so it is not quoted. */
function asWord(text: string): string {
  if (/\s/.test(text)) throw new Mistake("must not contain spaces");
  return text;
}

function asPrefix(text: string): string {
  if (!/^\w[\w.-]*(\/[\w.-]+)*\/?$/.test(text))
    throw new Mistake(
      `must be like vestry/files, without a slash at its start, and is ${quoted(text)}`,
    );
  return text.replace(/\/?$/, "/");
}

function asHost(text: string): string {
  const name = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i;
  const numbersOnly = /^[\d.]+$/;
  if (isIP(text) === 0 && (!name.test(text) || numbersOnly.test(text)))
    throw new Mistake(
      `must be an address or host name to listen on, like 127.0.0.1, :: or 0.0.0.0, and is ${quoted(text)}`,
    );
  return text;
}

function asPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new Mistake(`must be a whole number from 1 to 65535, and is ${quoted(text)}`);
  return port;
}

function asPortOrOff(text: string): number | undefined {
  if (text === "off") return undefined;
  try {
    return asPort(text);
  } catch {
    throw new Mistake(`must be a whole number from 1 to 65535, or off, and is ${quoted(text)}`);
  }
}

function asPublicUrl(text: string): string {
  const url = asUrl(text);
  if (!isWeb(url) || url.search !== "" || url.hash !== "" || url.username + url.password !== "")
    throw new Mistake(
      `must be an http:// or https:// address without credentials, query or fragment, and is ${quoted(text)}`,
    );
  return url.href.replace(/\/+$/, "");
}

function asOrigins(text: string): string[] {
  const origins = text.split(",").map((each) => each.trim());
  const wrong = origins.filter((origin) => {
    const url = asUrl(origin);
    return !isWeb(url) || url.origin !== origin;
  });
  if (wrong.length > 0)
    throw new Mistake(
      `must be a comma-separated list of origins, like https://app.example without a slash at the end; ` +
        `not an origin: ${wrong.map(quoted).join(", ")}`,
    );
  return [...new Set(origins)];
}

function asNetworks(text: string): Network[] {
  const parsed = parseNetworks(text, quoted);
  if ("mistake" in parsed) throw new Mistake(parsed.mistake);
  return parsed.networks;
}

function asTrustedProxies(text: string): string[] {
  const networks = asNetworks(text);
  // Fastify rejects it, too, but too late for the list of mistakes.
  const everybody = networks.find(({ length }) => length === 0);
  if (everybody)
    throw new Mistake(
      `must contain only the addresses of proxies. With ${formatNetwork(everybody)} every client could forge its address`,
    );
  return networks.map(formatNetwork);
}

/** Parses each block, because a PEM reader silently stops at the first block that it cannot read. */
function asCertificates(text: string): string {
  const file = resolve(repositoryRoot, text);
  const blocks = readSettingFile(file).split(/(?=-----BEGIN )/);
  const certificates = blocks
    .filter((block) => block.startsWith("-----BEGIN "))
    .map((block, index, { length }) => {
      try {
        return new X509Certificate(block).toString();
      } catch {
        throw new Mistake(
          `must name a file of certificates in PEM: wrong is block ${index + 1} of ${length} in ${file}`,
        );
      }
    });
  if (certificates.length === 0)
    throw new Mistake(`must name a file of certificates in PEM: ${file} has none`);
  return certificates.join("");
}

function readSettingFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new Mistake(
        `names a file that does not exist: ${file}. npx vestry receive creates its certificate when it starts`,
      );
    throw new Mistake(`names a file that this user cannot read (${code}): ${file}`);
  }
}

function asDnsServers(text: string): string[] {
  const servers = text.split(",").map((each) => each.trim());
  const wrong = servers.filter((server) => {
    const [, address = server, port] =
      /^\[(.+)\](?::(\d+))?$/.exec(server) ?? /^([\d.]+):(\d+)$/.exec(server) ?? [];
    return (
      isIP(address) === 0 || (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536))
    );
  });
  if (wrong.length > 0)
    throw new Mistake(
      `must be a comma-separated list of addresses, like 9.9.9.9, 127.0.0.1:5353 or [::1]:5353; ` +
        `not one: ${wrong.map(quoted).join(", ")}`,
    );
  return servers;
}

function isWeb(url: URL | undefined): url is URL {
  return url?.protocol === "http:" || url?.protocol === "https:";
}

function asEncryptionKeys(text: string): EncryptionKey[] {
  const keys = text.split(",").map((each, index) => {
    const [, id, encoded] =
      /^([a-z0-9][a-z0-9._-]{0,31}):([a-z0-9+/]{43}=)$/i.exec(each.trim()) ?? [];
    if (id === undefined || encoded === undefined)
      throw new Mistake(
        `must be a comma-separated list of name:key, each key 32 bytes in base64 ` +
          `(node -p 'crypto.randomBytes(32).toString("base64")' makes one); wrong is number ${index + 1}`,
      );
    return new EncryptionKey(id, Buffer.from(encoded, "base64"));
  });
  if (new Set(keys.map((key) => key.id)).size < keys.length)
    throw new Mistake("must give each key a different name");
  return keys;
}

function asRateLimits(text: string): boolean | GivenQuotas {
  if (text === "on" || text === "off") return text === "on";
  const given = text.split(",").map((one): [string, { requests: number; windowMs: number }] => {
    const [, caller = "", requests, seconds] =
      new RegExp(`^(${limitedCallers.join("|")})=([1-9]\\d{0,6})/([1-9]\\d{0,3})$`).exec(
        one.trim(),
      ) ?? [];
    return [caller, { requests: Number(requests), windowMs: Number(seconds) * SECOND }];
  });
  const named = given.map(([caller]) => caller);
  if (named.includes("") || new Set(named).size < named.length)
    throw new Mistake(
      `must be on, off, or quotas like user=300/20,client=3000/60 (requests and seconds, of ${limitedCallers.join(", ")}), and is ${quoted(text)}`,
    );
  return Object.fromEntries(given);
}

function asSwitch(text: string): boolean {
  if (text !== "on" && text !== "off")
    throw new Mistake(`must be on or off, and is ${quoted(text)}`);
  return text === "on";
}

function asLogLevel(text: string): LogLevel {
  const level = logLevels.find((each) => each === text);
  if (level === undefined)
    throw new Mistake(`must be one of ${logLevels.join(", ")}, and is ${quoted(text)}`);
  return level;
}
