import { mock } from "node:test";
import pg from "pg";

/**
 * The statements that this process sends to PostgreSQL while `act` runs, without those that begin and end transactions. Two
 * callers at the same time would count each other's statements.
 */
export async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const query: unknown = Reflect.get(pg.Client.prototype, "query");
  const counting = mock.method(
    pg.Client.prototype,
    "query",
    function (this: pg.Client, ...given: unknown[]) {
      const [sent] = given as [string | { text: string }];
      texts.push(typeof sent === "string" ? sent : sent.text);
      return Reflect.apply(query as () => unknown, this, given);
    },
  );
  try {
    await act();
  } finally {
    counting.mock.restore();
  }
  return texts.filter((text) => !/^(begin|commit|rollback|savepoint|release)\b/i.test(text));
}
