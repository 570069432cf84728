import {
  type Change,
  type ChangePage,
  type ChangeQuery,
  followChanges,
  type FollowOptions,
  readChanges,
} from "./changes.ts";
import { AnyCollection } from "./collection.ts";
import type { Collections } from "./collections.ts";
import { type Answer, jsonOf, type RequestOptions, send, type Transport } from "./request.ts";
import { Session } from "./session.ts";
import { facts } from "./types.ts";

export interface Login extends Omit<Transport, "token"> {
  account: string;
  username: string;
  password: string;
}

/** A client of one service. It has a collection for each type: `v.people`, `v.courseEnrollments`. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- The constructor sets every collection.
export class Vestry {
  readonly session: Session;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.session = new Session(this.request);
    for (const [type, { files }] of Object.entries(facts)) {
      const collection = new AnyCollection(this.request, type, files);
      Object.assign(this, { [camelCase(type)]: collection });
    }
  }

  /** Logs in with a password. The client sends the token of the log-in from then on. */
  static async login({ account, password, username, ...transport }: Login): Promise<Vestry> {
    const answer = await send(transport, "POST", "/authenticate", {
      headers: { "Content-Type": "application/json" },
      body: { account, username, password },
    });
    const { access_token: token } = jsonOf<{ access_token: string }>(answer);
    return new Vestry({ ...transport, token });
  }

  /** The access token, with which another client can continue. */
  get token(): string | undefined {
    return this.#transport.token;
  }

  /** Sends any request: `v.request("GET", "/v1/people/me")`. Errors are `VestryError`. */
  readonly request = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
    send(this.#transport, method, path, options);

  /** One page of changes after a position. `now` returns the present position and no changes. */
  readonly changePage = (position: string, query: ChangeQuery = {}): Promise<ChangePage> =>
    readChanges(this.request, position, query);

  /** The changes after a position: `for await (const change of v.changes(position))`. */
  readonly changes = (
    position: string,
    options: FollowOptions = {},
  ): AsyncGenerator<Change, void> => followChanges(this.request, position, options);
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- The names follow from the types of the service.
export interface Vestry extends Collections {}

const camelCase = (type: string): string =>
  type.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
