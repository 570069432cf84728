import { PASSWORD } from "./sign-in.ts";
import { type Answer, PUBLIC_URL, type RequestOptions, type TestService } from "./service.ts";

/** Requests of a page of the service itself. Node sends no cookies by itself. */
export const PAGE = { "Origin": PUBLIC_URL, "Sec-Fetch-Site": "same-origin" };

type Sent = RequestOptions["headers"];

export const postSession = (service: TestService, body: unknown, headers: Sent = {}) =>
  service.post("/session", body, {
    as: null,
    headers: { ...PAGE, "Content-Type": "application/json", ...headers },
  });

/** `vestry=vbt_…`, as the browser sends it. */
export const cookieOf = ({ headers }: Answer): string =>
  headers.get("set-cookie")?.split(";")[0] ?? "";

/** Logs in and returns the cookie. */
export async function cookieFor(
  service: TestService,
  email: string,
  more: Record<string, unknown> = {},
  headers: Sent = {},
): Promise<string> {
  const login = { username: email, password: PASSWORD, account: service.account.alias, ...more };
  return cookieOf(await postSession(service, login, headers));
}

/** A request of a page of the service with the cookie. */
export const inSession = (cookie: string, options: RequestOptions = {}): RequestOptions => ({
  as: null,
  ...options,
  headers: { ...PAGE, Cookie: cookie, ...options.headers },
});
