import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../base/errors.ts";
import { isNotModified } from "../../jsonapi/request/etag.ts";
import { encodingFor } from "../http/encoding.ts";
import { CSS, HTML, IMMUTABLE, JAVASCRIPT, REVALIDATED } from "./static-files.ts";

const types: Readonly<Record<string, string>> = {
  ".css": CSS,
  ".html": HTML,
  ".js": JAVASCRIPT,
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Scripts come from the build alone, and only the service worker may be loaded by a text in script. */
const POLICY = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types vestry",
  ].join("; "),
};

/** These paths belong to the service. A page of the app never answers for one of them. */
const SERVICE = /^\/(v1|p|c|docs|assets|session)(\/|$)/;

const suffixes = { br: ".br", gzip: ".gz" } as const;

/** The build of the web app. Each has files for the paths of the app, and compressed neighbors of them. */
export class WebApp {
  /** Identifies the sources of the build. */
  readonly hash: string;
  readonly #folder: string;

  private constructor(folder: string, hash: string) {
    this.#folder = folder;
    this.hash = hash;
  }

  /** Undefined without a build. */
  static in(folder: string): WebApp | undefined {
    try {
      const record = readFileSync(join(folder, "build.json"), "utf8");
      return new WebApp(folder, (JSON.parse(record) as { hash: string }).hash);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  register(app: FastifyInstance): void {
    // A cold visit loads a dozen files, and an office shares one address.
    const uncounted = { config: { uncounted: true } } as const;
    for (const { isFile, name } of this.#filesAtTop())
      if (isFile)
        app.get(`/${name}`, uncounted, (request, reply) =>
          this.#send(request, reply.headers({ ...REVALIDATED, ...POLICY }), name),
        );
    app.get("/assets/:name", uncounted, async (request, reply) => {
      const { name } = request.params as { name: string };
      // A name with another character would lead elsewhere. The build makes none.
      if (!/^\w[\w.-]*$/.test(name)) throw fail("not-found", "There is no such file.");
      return this.#send(request, reply.headers(IMMUTABLE), join("assets", name));
    });
    app.get("/", (request, reply) => this.sendPage(request, reply));
  }

  /** Whether a request without a route asks for a page of the app. */
  isPage({ headers, method, url }: FastifyRequest): boolean {
    return (
      (method === "GET" || method === "HEAD") &&
      /\btext\/html\b/.test(headers.accept ?? "") &&
      !SERVICE.test(url.split("?", 1)[0] ?? "")
    );
  }

  /** Every page of the app is this one. Its script shows what the address names. */
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#send(request, reply.headers({ ...REVALIDATED, ...POLICY }), "index.html");
  }

  #filesAtTop() {
    return readdirSync(this.#folder, { withFileTypes: true })
      .map((entry) => ({ isFile: entry.isFile(), name: entry.name }))
      .filter(({ name }) => !/^index\.html|^build\.json|\.(br|gz)$/.test(name));
  }

  async #send(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
    const file = join(this.#folder, name);
    const type = types[extname(name)];
    if (type === undefined) throw fail("not-found", "There is no such file.");
    const encoding = encodingFor(request.headers["accept-encoding"]);
    const encoded = encoding && (await contentOf(file + suffixes[encoding]));
    const bytes = encoded ?? (await contentOf(file));
    if (bytes === undefined) throw fail("not-found", "There is no such file.");
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    reply.headers({ "ETag": etag, "Vary": "Origin, Accept-Encoding" });
    if (isNotModified(request.headers["if-none-match"], etag)) return reply.code(304).send();
    if (encoded && encoding) reply.header("Content-Encoding", encoding);
    return reply.type(type).send(bytes);
  }
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") return undefined;
    throw error;
  }
}
