import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { type AppOptions, buildApp } from "../../src/app/app.ts";
import type { WholeCatalogue } from "../../src/jsonapi/definition/whole-catalogue.ts";
import { onObservation } from "../../src/base/observe.ts";
import { send } from "./client.ts";
import { type FreshDatabase, sharedDatabase } from "./database.ts";
import { filesIn, freshDirectory } from "./files.ts";
import { type TestAccount, makeAccount } from "./make.ts";
import { assertRuled } from "./rules.ts";
import { shared } from "./shared.ts";
import { tellSecret } from "./signatures.ts";
import { webhookParts } from "./webhook-parts.ts";

/** The default origin of test requests. It is a first party, so a bearer token is enough. */
export const FIRST_PARTY = "http://vestry.test";

/** Links in documents begin with it. `request` sends them to the address of the service. */
export const PUBLIC_URL = "http://localhost";

/** A running service, seen from one account. */
export interface TestService {
  app: FastifyInstance;
  url: string;
  database: FreshDatabase;
  db: FreshDatabase["db"];
  home: FreshDatabase["home"];
  account: TestAccount;
  /** Sends the token of the full administrator of `account`, unless `as` differs. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  patch(path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  delete(path: string, options?: RequestOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface RequestOptions {
  /** An access token; null sends none. */
  as?: string | null;
  /** A document. Text and bytes are sent unchanged. */
  body?: unknown;
  /** Null removes a default header. */
  headers?: Record<string, string | null>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  document: Document;
}

export const identifiers = (type: string, these: readonly string[]) => ({
  data: these.map((id) => ({ type, id })),
});

/** The parts of JSON:API documents that tests read. */
export interface Document {
  data?: unknown;
  included?: Resource[];
  meta?: Record<string, unknown>;
  links?: Record<string, string | null>;
  errors?: Problem[];
}

export interface Problem {
  id: string;
  links: { type: string };
  status: string;
  code: string;
  title: string;
  detail: string;
  source?: { pointer?: string; parameter?: string; header?: string };
  meta: Record<string, unknown> & { "request-id": string };
}

export interface Resource {
  type: string;
  id: string;
  attributes: Record<string, unknown>;
  relationships: Record<
    string,
    { data?: unknown; links?: Record<string, string>; meta?: Record<string, unknown> }
  >;
  links: Record<string, string>;
  meta?: Record<string, unknown>;
}

export const one = (answer: Answer): Resource => answer.document.data as Resource;
export const many = (answer: Answer): Resource[] => answer.document.data as Resource[];
/** The id that a to-one relationship of a resource links to. */
export const linkedId = ({ relationships }: Resource, name: string): string =>
  (relationships[name]?.data as { id: string } | null | undefined)?.id ?? "";

export const codes = (answer: Answer): string[] =>
  (answer.document.errors ?? []).map(({ code }) => code);
export const pointers = (answer: Answer): (string | undefined)[] =>
  (answer.document.errors ?? []).map(({ source }) => source?.pointer);
export const ids = (answer: Answer): string[] => many(answer).map(({ id }) => id);
export const etag = (answer: Answer): string => answer.headers.get("etag") ?? "";
export const parameters = (answer: Answer): (string | undefined)[] =>
  (answer.document.errors ?? []).map(({ source }) => source?.parameter);

/** A document with one resource to write. */
export const document = (
  type: string,
  attributes: Record<string, unknown>,
  more: { id?: string; relationships?: Record<string, unknown> } = {},
) => ({ data: { type, attributes, ...more } });

/**
 * A running service on the database that test files share, with an account of its own. Without options the service is
 * shared, too. `database` is another database.
 */
export async function startService(
  options: Partial<AppOptions> & { database?: FreshDatabase } = {},
  catalogue?: WholeCatalogue,
): Promise<TestService> {
  if (Object.keys(options).length === 0 && catalogue === undefined) {
    const running = await sharedService();
    return forAccount({ ...running, stop: () => Promise.resolve() });
  }
  const { database, ...rest } = options;
  return forAccount(await run(database ?? (await sharedDatabase()), rest, catalogue));
}

type Running = Pick<TestService, "app" | "database" | "stop" | "url">;

const sharedService = shared(async () => {
  const running = await run(await sharedDatabase(), {});
  return { value: running, end: running.stop };
});

async function run(
  database: FreshDatabase,
  options: Partial<AppOptions>,
  catalogue?: WholeCatalogue,
): Promise<Running> {
  const directory = await freshDirectory();
  const all: AppOptions = {
    db: database.whole,
    origins: [FIRST_PARTY],
    publicUrl: PUBLIC_URL,
    rateLimits: false,
    visitorLimits: false,
    throttleKey: Buffer.alloc(32, 1),
    visitorKey: Buffer.alloc(32, 2),
    webhooks: webhookParts(),
    files: filesIn(directory.path, PUBLIC_URL),
    ...options,
  };
  const app = buildApp(all, catalogue);
  // A failed assertion about a 500 does not show the cause.
  const end = onObservation((one) => {
    if (one.kind === "request-failed") console.error(one.route, one.error);
  });
  await app.listen({ host: "127.0.0.1", port: Number(new URL(all.publicUrl).port) });
  return {
    app,
    database,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async stop() {
      end();
      // A client may keep a connection whose body it never read to the end.
      app.server.closeAllConnections();
      await app.close();
      await database.close();
      await directory.remove();
    },
  };
}

async function forAccount(running: Running): Promise<TestService> {
  const { database, url } = running;
  const account = await makeAccount(database.db);

  const request: TestService["request"] = async (method, path, { as, body, headers = {} } = {}) => {
    const sent = new Headers({ Origin: FIRST_PARTY });
    const token = as === undefined ? account.administrator.token : as;
    if (token !== null) sent.set("Authorization", `Bearer ${token}`);
    if (body !== undefined) sent.set("Content-Type", "application/vnd.api+json");
    for (const [name, value] of Object.entries(headers))
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const askedAt = Date.now();
    const answer = await send(url + path.replace(`${PUBLIC_URL}/`, "/"), {
      method,
      headers: sent,
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    });
    const { text } = answer;
    const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
    const document = isJson && text !== "" ? (JSON.parse(text) as Document) : {};
    tellSecretIn(document, askedAt);
    document.errors?.forEach(assertRuled);
    return { ...answer, document };
  };

  return {
    ...running,
    db: database.db,
    home: database.home,
    account,
    request,
    get: (path, more) => request("GET", path, more),
    post: (path, body, more) => request("POST", path, { ...more, body }),
    patch: (path, body, more) => request("PATCH", path, { ...more, body }),
    delete: (path, more) => request("DELETE", path, more),
  };
}

/** Records the secret of a response to a creation or a rotation. */
function tellSecretIn({ data }: Document, askedAt: number): void {
  const { attributes, id, meta, relationships } = (data ?? {}) as Partial<Resource>;
  const secret = meta?.["secret"];
  if (typeof secret !== "string") return;
  const rotated = relationships?.["endpoint"]?.data as { id: string } | undefined;
  const until = attributes?.["previous-valid-until"];
  tellSecret({
    endpointId: rotated?.id ?? id ?? "",
    url: attributes?.["url"] as string | undefined,
    secret,
    askedAt,
    previousUntil: typeof until === "string" ? Date.parse(until) : undefined,
  });
}

/** The types of the events that `act` captured, in order. */
export async function eventsOf(act: () => Promise<unknown>): Promise<string[]> {
  const told: string[] = [];
  const end = onObservation((one) => {
    if (one.kind === "event-happened") told.push(one.eventType);
  });
  try {
    await act();
  } finally {
    end();
  }
  return told;
}
