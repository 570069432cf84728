import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { type Db, queryable } from "../../src/store/db.ts";
import type { Send } from "../../src/store/sql.ts";

/** Replaces a method until the end of a test. `mock.method` would keep every call with its result. */
function replace<T extends object>(
  context: { after: (end: () => void) => void },
  of: T,
  name: keyof T,
  method: unknown,
): void {
  const own = Object.getOwnPropertyDescriptor(of, name);
  Object.defineProperty(of, name, { ...own, value: method, configurable: true, writable: true });
  context.after(() => {
    if (own) Object.defineProperty(of, name, own);
    else delete of[name];
  });
}

/** Keeps the text of each statement that a database of one server sends in a transaction of an account, or by `ofAccount`. */
export function keepAccountStatements(
  context: { after: (end: () => void) => void },
  db: Db,
): ReadonlySet<string> {
  const texts = new Set<string>();
  const account = new AsyncLocalStorage<string>();
  const begin = db.begin.bind(db);
  const beginKept: Db["begin"] = (accountId, run) =>
    account.run(accountId ?? "", () => begin(accountId, run));
  replace(context, db, "begin", beginKept);
  const ofAccount = db.ofAccount.bind(db);
  replace(context, db, "ofAccount", (accountId: string) => {
    const own = ofAccount(accountId);
    const send: Send = (query) => account.run(accountId, () => own.send(query));
    const others = Object.entries(own).filter(([name]) => !["query", "queryArrays"].includes(name));
    return Object.assign(queryable(send), Object.fromEntries(others), { send });
  });
  const query: unknown = Reflect.get(pg.Client.prototype, "query");
  const queryKept = function (this: pg.Client, ...given: unknown[]) {
    const [sent] = given as [string | { text: string }];
    if (account.getStore()) texts.add(typeof sent === "string" ? sent : sent.text);
    return Reflect.apply(query as () => unknown, this, given);
  };
  replace(context, pg.Client.prototype, "query", queryKept);
  return texts;
}
