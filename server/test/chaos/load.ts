import { setTimeout as wait } from "node:timers/promises";
import type { ChaosAccount } from "./accounts.ts";

/** The writes that the API accepted. The event of each must arrive. */
export interface Accepted {
  readonly accountId: string;
  readonly eventType: "person.created" | "person.updated";
  readonly personId: string;
  /** Distinguishes the changes of a person. */
  readonly occupation: string;
}

export interface Load {
  stop(): Promise<Accepted[]>;
}

const WRITERS_PER_ACCOUNT = 2;
const PAUSE_MS = 20;

/** Writes people one after the other. A write without a response may have been committed or not. */
export function startLoad(api: string, accounts: readonly ChaosAccount[]): Load {
  const accepted: Accepted[] = [];
  let stopped = false;
  let count = 0;

  async function send(account: ChaosAccount, method: string, path: string, data: object) {
    const answer = await fetch(api + path, {
      method,
      headers: {
        "Origin": api,
        "Authorization": `Bearer ${account.administrator.token}`,
        "Content-Type": "application/vnd.api+json",
      },
      body: JSON.stringify({ data }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    return answer?.ok && text !== undefined
      ? (JSON.parse(text) as { data: { id: string } }).data.id
      : undefined;
  }

  async function writer(account: ChaosAccount): Promise<void> {
    let personId: string | undefined;
    while (!stopped) {
      const occupation = `Number ${++count}`;
      const attributes = { occupation, ...(!personId && { "full-name": "Chaos" }) };
      const id = personId
        ? await send(account, "PATCH", `/v1/people/${personId}`, {
            type: "people",
            id: personId,
            attributes,
          })
        : await send(account, "POST", "/v1/people", { type: "people", attributes });
      if (id)
        accepted.push({
          accountId: account.id,
          eventType: personId ? "person.updated" : "person.created",
          personId: id,
          occupation,
        });
      personId = personId ? undefined : id;
      await wait(PAUSE_MS);
    }
  }

  const writers = accounts.flatMap((account) =>
    Array.from({ length: WRITERS_PER_ACCOUNT }, () => writer(account)),
  );
  return {
    async stop() {
      stopped = true;
      await Promise.all(writers);
      return accepted;
    },
  };
}
