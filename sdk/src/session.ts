import { type Answer, jsonOf, type RequestOptions } from "./request.ts";
import type { Account, BrowserSession, PasswordLink, Person } from "./types.ts";

/** Facts about the caller, the account and the service. An app reads them when it starts. */
export interface Bootstrap extends Omit<BrowserSession, "person" | "account"> {
  person: Required<Pick<Person, keyof BrowserSession["person"]>>;
  account: Required<Pick<Account, keyof BrowserSession["account"]>>;
}

export interface Credentials {
  username: string;
  password: string;
  account?: string | undefined;
  /** The session outlives the browser. */
  remember?: boolean | undefined;
}

type Request = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

/** The session of a browser, whose cookie no script can read. It works on pages of the service itself. */
export class Session {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  async open(credentials: Credentials, { signal }: { signal?: AbortSignal } = {}) {
    const headers = { "Content-Type": "application/json" };
    return jsonOf<Bootstrap>(
      await this.#request("POST", "/session", { body: credentials, headers, signal }),
    );
  }

  async get({ signal }: { signal?: AbortSignal } = {}) {
    return jsonOf<Bootstrap>(await this.#request("GET", "/session", { signal }));
  }

  /** The log-in whose password the token of an invitation or a reset sets. The token is not used. */
  async readPasswordLink(token: string, { signal }: { signal?: AbortSignal } = {}) {
    const headers = { "Content-Type": "application/json" };
    return jsonOf<PasswordLink>(
      await this.#request("POST", "/session/password-link", { body: { token }, headers, signal }),
    );
  }

  async close(): Promise<void> {
    await this.#request("DELETE", "/session");
  }
}
