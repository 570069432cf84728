import { AsyncLocalStorage } from "node:async_hooks";
import { mock } from "node:test";
import pg from "pg";
import { type Db, queryable } from "../../src/store/db.ts";
import type { Send } from "../../src/store/sql.ts";

/** Keeps the text of each statement that a database of one server sends in a transaction of an account, or by `ofAccount`. */
export function keepAccountStatements(db: Db): ReadonlySet<string> {
  const texts = new Set<string>();
  const account = new AsyncLocalStorage<string>();
  const begin = db.begin.bind(db);
  const beginKept: Db["begin"] = (accountId, run) =>
    account.run(accountId ?? "", () => begin(accountId, run));
  mock.method(db, "begin", beginKept);
  const ofAccount = db.ofAccount.bind(db);
  mock.method(db, "ofAccount", (accountId: string) => {
    const own = ofAccount(accountId);
    const send: Send = (query) => account.run(accountId, () => own.send(query));
    const others = Object.entries(own).filter(([name]) => !["query", "queryArrays"].includes(name));
    return Object.assign(queryable(send), Object.fromEntries(others), { send });
  });
  const query: unknown = Reflect.get(pg.Client.prototype, "query");
  mock.method(pg.Client.prototype, "query", function (this: pg.Client, ...given: unknown[]) {
    const [sent] = given as [string | { text: string }];
    if (account.getStore()) texts.add(typeof sent === "string" ? sent : sent.text);
    return Reflect.apply(query as () => unknown, this, given);
  });
  return texts;
}
