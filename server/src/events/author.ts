import type { Actor } from "../access/actor.ts";
import { storableAddress } from "../access/address.ts";
import { authorOf, isOperator } from "../access/operator.ts";
import { sendWithCommit, type Tx } from "../store/db.ts";

/** The journal says this about all rows that a transaction writes. */
export interface Authorship {
  cause: "ui" | "api" | "form" | "merge" | "system" | "import";
  /** The type of the resource that is written. Rows of other types follow from it and have no audit entries of their own. */
  type: string;
  request: string;
  ip: string;
  batch: string;
  /** Changes that the columns of a resource do not show, by the id of the resource. */
  noted: Readonly<Record<string, Record<string, { from: unknown; to: unknown }>>>;
}

const authorships = new WeakMap<Tx, Partial<Authorship>>();

type Author = Pick<Actor, "personId" | "isSession"> & { integrationId?: string | undefined };

/** A rule knows more about the transaction than the route that signs it. `type` can be undefined: each row has an entry. */
export const noteAuthorship = (
  tx: Tx,
  more: { [Name in keyof Authorship]?: Authorship[Name] | undefined },
): void => void authorships.set(tx, { ...authorships.get(tx), ...more } as Partial<Authorship>);

/**
 * Names the author of what the transaction wrote. The triggers of the journal run at the commit, with which the statement is
 * sent. An unsigned transaction is one of the service itself.
 *
 * The statement also refuses `named` people who were anonymized while the transaction waited for them. Their rows are still
 * there, so that no foreign key does.
 */
export function signWrites(
  tx: Tx,
  actor: Author,
  about: Partial<Authorship> = {},
  named: readonly string[] = [],
): void {
  const authorship = {
    actor: authorOf(actor) ?? undefined,
    integration: actor.integrationId,
    cause: isOperator(actor) ? "system" : actor.isSession ? "ui" : "api",
    ...about,
    ...authorships.get(tx),
    ip: about.ip === undefined ? undefined : storableAddress(about.ip),
  };
  sendWithCommit(
    tx,
    tx`select set_config('vestry.write', ${JSON.stringify(authorship)}, true)
      ${named.length > 0 && tx.accountId ? tx`, refuse_anonymized(${tx.accountId}, ${[...named]}::uuid[])` : tx``}`.execute(),
  );
}

/** The cause of an event: a first-party application, an integration, or the operator. The journal also knows the browser session. */
export function causeOf(actor: Author): "ui" | "api" | "system" {
  if (isOperator(actor)) return "system";
  return actor.integrationId === undefined ? "ui" : "api";
}
