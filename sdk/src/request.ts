import { errorOf, Unreachable } from "./errors.ts";
import { type Parameters, withQuery } from "./query.ts";

export const MEDIA_TYPE = "application/vnd.api+json";

export interface RequestOptions {
  query?: Parameters | undefined;
  /** A blob is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string | undefined> | undefined;
  signal?: AbortSignal | undefined;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON of the response. Undefined if there is none. */
  body: unknown;
}

export interface Transport {
  /** The address of the service. The empty text means the origin of the page. */
  url: string;
  clientToken?: string | undefined;
  token?: string | undefined;
  /** The person whom the page shows. The service refuses requests once the cookie is that of another person. */
  person?: (() => string | undefined) | undefined;
  fetch?: typeof fetch | undefined;
}

/** Sends a request. Every response other than 2xx and 304 is an error. */
export async function send(
  { clientToken, fetch: ownFetch, person, token, url }: Transport,
  method: string,
  path: string,
  { body, headers = {}, query, signal }: RequestOptions = {},
): Promise<Answer> {
  const all: Record<string, string | undefined> = {
    "Accept": MEDIA_TYPE,
    "Authorization": token && `Bearer ${token}`,
    // The routes of webhooks take the token of a person alone.
    "X-SVC-API-Token": path.startsWith("/v1/webhook-") ? undefined : clientToken,
    // The session itself says who has logged in.
    "Vestry-Person": path.startsWith("/session") ? undefined : person?.(),
    "Content-Type": body === undefined || body instanceof Blob ? undefined : MEDIA_TYPE,
    ...headers,
  };
  const present = Object.entries(all).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  let response: Response;
  let text: string;
  try {
    response = await (ownFetch ?? fetch)(url.replace(/\/+$/, "") + withQuery(path, query), {
      method,
      headers: present,
      // A redirect would carry the client token to another origin.
      redirect: "error",
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(token !== undefined && { credentials: "omit" }),
      ...(signal && { signal }),
    });
    text = await response.text();
  } catch (error) {
    signal?.throwIfAborted();
    throw new Unreachable(error);
  }
  const answer = { status: response.status, headers: response.headers, body: parsed(text) };
  if (!response.ok && response.status !== 304)
    throw errorOf(answer.status, answer.headers, answer.body);
  return answer;
}

/** Ends early, without an error, when the signal is aborted. */
export const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The document of an answer. A network that asks for a log-in answers every request with a page of its own. */
export function jsonOf<D extends object>({ body }: Answer): D {
  if (typeof body === "object" && body !== null) return body as D;
  throw new Unreachable(new TypeError("The response is not JSON."));
}
