import type {
  ChangeOptions,
  FileOptions,
  LinkOptions,
  Options,
  Page,
  WriteOptions,
} from "./collections.ts";
import {
  type AnyRecord,
  Decoder,
  type Document,
  documentOf,
  idOf,
  linkage,
  type ResourceObject,
} from "./documents.ts";
import { VestryError } from "./errors.ts";
import { type AnyQuery, hasCursor, includeTree, parametersOf, targetsOf } from "./query.ts";
import { type Answer, jsonOf, type RequestOptions, wait } from "./request.ts";

type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

/** The operations of every type. `Collection` gives them their types. */
export class AnyCollection {
  readonly #send: Send;
  readonly #type: string;

  constructor(send: Send, type: string, files: readonly string[] = []) {
    this.#send = send;
    this.#type = type;
    for (const name of files)
      Object.assign(this, { [name]: (record: AnyReference) => this.#file(idOf(record), name) });
  }

  async page(query: AnyQuery = {}, { signal }: Options = {}): Promise<Page<AnyRecord>> {
    const parameters = parametersOf(this.#type, query);
    return pageOf(await this.#send("GET", this.#path(), { query: parameters, signal }), query);
  }

  async *list(query: AnyQuery = {}, options: Options = {}): AsyncGenerator<AnyRecord, void> {
    let page = hasCursor(this.#type, query) ? { cursor: "", ...query.page } : query.page;
    do {
      const { items, next } = await patiently(options.signal, () =>
        this.page({ ...query, page }, options),
      );
      yield* items;
      page = next;
    } while (page);
  }

  async get(record: AnyReference, query: AnyQuery = {}, { signal }: Options = {}) {
    const parameters = parametersOf(this.#type, query);
    return recordOf(
      await this.#send("GET", this.#path(idOf(record)), { query: parameters, signal }),
      query,
    );
  }

  async create(values: object, options: WriteOptions & AnyQuery = {}) {
    return this.#write("POST", this.#path(), documentOf(this.#type, values), options);
  }

  async update(record: AnyReference, changes: object, options: ChangeOptions & AnyQuery = {}) {
    const id = idOf(record);
    return this.#write("PATCH", this.#path(id), documentOf(this.#type, changes, id), {
      ...options,
      etag: etagOf(record, options),
    });
  }

  async delete(record: AnyReference, options: ChangeOptions = {}): Promise<void> {
    const headers = headersOf({ etag: etagOf(record, options) });
    await this.#send("DELETE", this.#path(idOf(record)), { headers, signal: options.signal });
  }

  link(record: AnyReference, name: string) {
    const path = this.#path(idOf(record), "relationships", name);
    const change =
      (method: string) =>
      async (targets: AnyReference | readonly AnyReference[], options: LinkOptions = {}) => {
        const data = linkage(targetsOf(this.#type, name), [targets].flat());
        const headers = headersOf(options);
        const { signal } = options;
        const answer = await this.#send(method, path, { body: { data }, headers, signal });
        const { data: linked } = jsonOf<{ data: ResourceObject[] }>(answer);
        return linked.map(({ id, type }) => ({ id, $type: type }));
      };
    return { add: change("POST"), remove: change("DELETE"), replace: change("PATCH") };
  }

  #file(id: string, name: string) {
    const path = this.#path(id, name);
    const upload =
      (method: string) =>
      async (file: Blob, options: FileOptions = {}) => {
        const title = options.name ?? (file as Partial<File>).name;
        const headers = {
          "Content-Type": options.type ?? (file.type || (await imageType(file))),
          ...headersOf(options),
          "Content-Disposition": title && `attachment; filename*=UTF-8''${encoded(title)}`,
        };
        return recordOf(
          await this.#send(method, path, { body: file, headers, signal: options.signal }),
        );
      };
    return {
      put: upload("PUT"),
      post: upload("POST"),
      delete: async ({ etag, signal }: FileOptions = {}) => {
        await this.#send("DELETE", path, { headers: headersOf({ etag }), signal });
      },
    };
  }

  async #write(
    method: string,
    path: string,
    body: object,
    { etag, idempotencyKey, signal, ...query }: ChangeOptions & AnyQuery,
  ): Promise<AnyRecord | undefined> {
    const headers = headersOf({ etag, idempotencyKey });
    const parameters = parametersOf(this.#type, query);
    const answer = await this.#send(method, path, { query: parameters, body, headers, signal });
    // Actions such as a change of the password have no answer.
    return answer.status === 204 ? undefined : recordOf(answer, query);
  }

  /** An empty id or a dot would lead to another path. */
  #path = (...parts: string[]): string => {
    if (parts.some((part) => /^\.{0,2}$/.test(part))) throw new TypeError("An id is missing.");
    return ["/v1", this.#type, ...parts.map(encodeURIComponent)].join("/");
  };
}

type AnyReference = string | { id: string; $type?: string; $etag?: string };

const headersOf = ({ etag, idempotencyKey }: LinkOptions) => ({
  "If-Match": etag,
  "Idempotency-Key": idempotencyKey,
});

const etagOf = (record: AnyReference, { etag }: ChangeOptions): string | undefined =>
  etag ?? (typeof record === "object" ? record.$etag : undefined);

function recordOf(answer: Answer, { include }: AnyQuery = {}): AnyRecord {
  const document = jsonOf<Document>(answer);
  const record = new Decoder(document).record(
    document.data as ResourceObject,
    includeTree(include),
  );
  const etag = answer.headers.get("etag");
  return etag === null ? record : { ...record, $etag: etag };
}

function pageOf(answer: Answer, { include, page }: AnyQuery): Page<AnyRecord> {
  const document = jsonOf<Document>(answer);
  const decoder = new Decoder(document);
  const tree = includeTree(include);
  const { page: number, size, total, ...meta } = document.meta ?? {};
  const isNumbered = typeof number === "number";
  const next = document.links?.["next"];
  const cursor = next ? new URL(next, "http://localhost").searchParams.get("page[after]") : null;
  const sized = page?.size === undefined ? {} : { size: page.size };
  return {
    items: [document.data ?? []].flat().map((one) => decoder.record(one, tree)),
    total: total as number,
    ...(isNumbered && { pageCount: Math.max(1, Math.ceil((total as number) / (size as number))) }),
    meta,
    ...(next && {
      next: { ...(cursor === null ? { number: (number as number) + 1 } : { cursor }), ...sized },
    }),
  };
}

/** The name of a file in a header. Four characters are special there and not in addresses. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Waits once if the service asks for a pause. Reads can be repeated. */
async function patiently<R>(signal: AbortSignal | undefined, read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    const { retryAfter } = error instanceof VestryError ? error : {};
    if (retryAfter === undefined) throw error;
    await wait(retryAfter * 1000, signal);
    return read();
  }
}

/** Blobs of files on a disk have no type. Images say their type in their first bytes. */
async function imageType(file: Blob): Promise<string | undefined> {
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...start);
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG")) return "image/png";
  return text.startsWith("RIFF") && text.endsWith("WEBP") ? "image/webp" : undefined;
}
