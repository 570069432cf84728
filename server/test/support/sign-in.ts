import { setPassword } from "../../src/access/logins.ts";
import { hashPassword, inTurn } from "../../src/access/passwords.ts";
import { limits } from "../../src/base/limits.ts";
import { type Db, inTransaction } from "../../src/store/db.ts";
import { type TestAccount, makePerson } from "./make.ts";

export const PASSWORD = "correct horse battery";

/** Hashing is slow by design, so all logins of a test file share one hash. */
let hash: Promise<string> | undefined;

export interface Login {
  id: string;
  email: string;
  token: string;
}

/** A person with the password `PASSWORD` and one access token. */
export async function makeLogin(
  db: Db,
  account: TestAccount,
  name: string,
  more: Parameters<typeof makePerson>[2] = {},
): Promise<Login> {
  const email = `${name}@${account.alias}.example`;
  const person = await makePerson(db, account.id, { fullName: name, email, ...more });
  hash ??= hashPassword(PASSWORD);
  const passwordHash = await hash;
  await inTransaction(db, account.id, (tx) =>
    setPassword(tx, { accountId: account.id, personId: person.id }, passwordHash),
  );
  return { ...person, email };
}

/** Runs `act` while every slot for hashing and every place in its queue is taken. */
export async function whileHashesQueue<T>(act: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const places = limits.passwordHashesAtOnce + limits.passwordQueueMax;
  const taken = Array.from({ length: places }, () => inTurn(() => promise));
  try {
    return await act();
  } finally {
    resolve();
    await Promise.all(taken);
  }
}
