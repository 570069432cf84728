import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { connect, type Db } from "../../../src/store/db.ts";
import { type EmbeddedServer, freePort, startEmbedded } from "../../../src/store/embedded.ts";
import { testAuthority } from "../../support/receiver.ts";
import { numbered } from "../load.ts";
import { answerTo, ORIGIN } from "../routes.ts";
import type { ReceiverChild } from "../webhooks/receiver.ts";
import { parentOf, pin, SERVICE_CORE } from "../processes.ts";

const PEOPLE = 200;
const POLL_MS = 50;
const MEDIA_TYPE = "application/vnd.api+json";

interface StartOptions {
  readonly checkout: string;
  readonly directory: string;
  readonly name: string;
  readonly receiver: ReceiverChild;
  readonly say: (line: string) => void;
}

/** The demo church in the service of a checkout, with a PostgreSQL of its own. Everything in it is made by HTTP. */
export class Church implements AsyncDisposable {
  readonly db: Db;
  /** Only the superuser sees the statements of others. */
  readonly #admin: Db;
  readonly port: number;
  readonly #service: ChildProcess;
  readonly #server: EmbeddedServer;
  readonly #origin: string;
  #token = "";
  #endpoint = "";
  #people: string[] = [];

  static async start(options: StartOptions): Promise<Church> {
    const { checkout, directory, name, receiver, say } = options;
    const server = await startEmbedded({
      dataDir: join(directory, `database-${name}`),
      settings: { shared_preload_libraries: "pg_stat_statements" },
      say,
    });
    const authority = join(directory, "authority.pem");
    await writeFile(authority, testAuthority().cert);
    const port = await freePort();
    const service = spawn(
      process.execPath,
      ["server/bin/launch.mjs", "server/bin/vestry.ts", "serve"],
      {
        cwd: checkout,
        stdio: ["ignore", "ignore", "pipe"],
        env: {
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          DATABASE_URL: server.url,
          DATA_DIR: join(directory, `files-${name}`),
          ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 7).toString("base64")}`,
          METRICS_PORT: "off",
          ORIGINS: ORIGIN,
          PORT: String(port),
          RATE_LIMITS: "off",
          WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
          WEBHOOK_CA_FILE: authority,
        },
      },
    );
    const church = new Church({ server, service, port });
    try {
      await church.#logIn();
      await church.#admin.query("create extension pg_stat_statements");
      await church.#pin();
      await church.#makePeople();
      await church.#makeEndpoint(receiver);
      return church;
    } catch (error) {
      await church[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(of: { server: EmbeddedServer; service: ChildProcess; port: number }) {
    this.#server = of.server;
    this.#service = of.service;
    this.port = of.port;
    this.#origin = `http://localhost:${of.port}`;
    this.db = connect(of.server.url, { max: 1, statementMsMax: 0 });
    this.#admin = connect(of.server.adminUrl, { max: 1, statementMsMax: 0 });
  }

  get pid(): number {
    return this.#service.pid ?? 0;
  }

  async postmaster(): Promise<number> {
    const [row] = await this.db<{ pid: number }[]>`
      select pg_backend_pid() as pid`;
    return parentOf(row?.pid ?? 0);
  }

  /** The number of statements so far, of transactions too. */
  async statements(): Promise<number> {
    const [row] = await this.#admin<{ calls: number }[]>`
      select sum(calls)::float8 as calls from pg_stat_statements where toplevel`;
    return row?.calls ?? Number.NaN;
  }

  /** Makes the endpoint listen to changes, or stop. */
  async listen(isHeard: boolean): Promise<void> {
    await this.db`
      update webhook_endpoints set status = ${isHeard ? "active" : "deleted"} where id = ${this.#endpoint}`;
  }

  /** Resolves when nothing waits for its delivery. */
  async isAtRest(): Promise<void> {
    for (;;) {
      const [row] = await this.db<{ rest: boolean }[]>`
        select not exists (select from webhook_queue) as rest`;
      if (row?.rest) return;
      await wait(POLL_MS);
    }
  }

  patches(): string[] {
    return this.#people.map((id) =>
      this.#request("PATCH", `/v1/people/${id}`, {
        type: "people",
        id,
        attributes: { occupation: "Carpenter {n}" },
      }),
    );
  }

  create(): string {
    const attributes = { "full-name": "Ana Carpenter {n}" };
    return this.#request("POST", "/v1/people", { type: "people", attributes });
  }

  reads(): string[] {
    return this.#people.map((id) => this.#request("GET", `/v1/people/${id}`));
  }

  /** Sends a request once, and answers how long the body of the answer is. */
  async lengthOf(request: string): Promise<number> {
    return Buffer.byteLength(await this.#send(request));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#service.exitCode === null && this.#service.signalCode === null) {
      this.#service.kill("SIGTERM");
      await once(this.#service, "exit");
    }
    await Promise.all([this.db.end(), this.#admin.end()]);
    await this.#server.stop();
  }

  /** The first start prints how to log in. */
  async #logIn(): Promise<void> {
    let password: RegExpExecArray | null = null;
    for await (const line of createInterface({ input: this.#service.stderr as Readable })) {
      password ??= /^\s+(\S+@\S+)\s+(\S+)\s+\(full administrator\)/.exec(line);
      const token = /X-SVC-API-Token\s+(\S+)/.exec(line)?.[1];
      if (password === null || token === undefined) continue;
      this.#service.stderr?.resume();
      const [, username, secret] = password;
      const answer = await fetch(`${this.#origin}/authenticate`, {
        method: "POST",
        headers: { "X-SVC-API-Token": token, "Content-Type": "application/json" },
        body: JSON.stringify({ username, password: secret, account: "demo" }),
      });
      const { access_token } = (await answer.json()) as { access_token: string };
      this.#token = access_token;
      return;
    }
    throw new Error("The service ended.");
  }

  async #pin(): Promise<void> {
    pin(this.pid, SERVICE_CORE);
    pin(await this.postmaster(), SERVICE_CORE);
  }

  async #makePeople(): Promise<void> {
    const create = this.create();
    for (let number = 0; number < PEOPLE; number += 1)
      this.#people.push(idIn(await this.#send(numbered(create, number))));
  }

  /** Answers the challenge, as every receiver does. */
  async #makeEndpoint(receiver: ReceiverChild): Promise<void> {
    const attributes = {
      name: "Bench",
      url: `${receiver.origin}/bench`,
      events: ["person.updated"],
    };
    const type = "webhook-endpoints";
    this.#endpoint = idIn(
      await this.#send(this.#request("POST", `/v1/${type}`, { type, attributes })),
    );
    for (;;) {
      const text = await this.#send(this.#request("GET", `/v1/${type}/${this.#endpoint}`));
      if (text.includes('"status":"active"')) return;
      await wait(POLL_MS);
    }
  }

  /** The bytes of a request. Its place `{n}` is filled when it is sent. */
  #request(method: string, path: string, data?: object): string {
    const body = data === undefined ? "" : JSON.stringify({ data });
    return (
      `${method} ${path} HTTP/1.1\r\nHost: localhost:${this.port}\r\nOrigin: ${ORIGIN}\r\n` +
      `Accept: ${MEDIA_TYPE}\r\nAuthorization: Bearer ${this.#token}\r\n` +
      (data === undefined
        ? ""
        : `Content-Type: ${MEDIA_TYPE}\r\nContent-Length: ${numbered(body, 0).length}\r\n`) +
      `\r\n${body}`
    );
  }

  #send(request: string): Promise<string> {
    return answerTo(numbered(request, 0), this.port);
  }
}

const idIn = (document: string): string =>
  (JSON.parse(document) as { data: { id: string } }).data.id;
