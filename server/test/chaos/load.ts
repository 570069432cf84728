import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../../src/base/clock.ts";
import { PASSWORD } from "../support/sign-in.ts";
import type { ChaosAccount } from "./accounts.ts";

/** The writes that the API accepted. The event of each must arrive. */
export interface Accepted {
  readonly accountId: string;
  readonly eventType: "person.created" | "person.updated";
  readonly personId: string;
  /** Distinguishes the changes of a person. */
  readonly occupation: string;
}

/** A request and its outcome. */
export interface Answer {
  readonly accountId: string;
  readonly isLogin: boolean;
  readonly from: number;
  readonly to: number;
  /** 0 if there was no response. */
  readonly status: number;
}

export interface Load {
  readonly answers: readonly Answer[];
  /** Resolves when each account has had a change accepted after this call. */
  everyAccountServed(signal: AbortSignal): Promise<void>;
  stop(): Promise<Accepted[]>;
}

const WRITERS_PER_ACCOUNT = 2;
const PAUSE_MS = 20;
const LOGIN_PAUSE_MS = SECOND;

/**
 * Writes people one after the other, and logs in with `logsIn`. A write without a response may have been committed or not.
 */
export function startLoad(
  api: string,
  accounts: readonly ChaosAccount[],
  { logsIn }: { logsIn: boolean },
): Load {
  const accepted: Accepted[] = [];
  const answers: Answer[] = [];
  let stopped = false;
  let count = 0;

  async function send(
    { id: accountId }: ChaosAccount,
    path: string,
    { isLogin = false, ...request }: RequestInit & { isLogin?: boolean },
  ): Promise<string | undefined> {
    const from = performance.now();
    const answer = await fetch(api + path, {
      ...request,
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    const status = text === undefined ? 0 : (answer?.status ?? 0);
    answers.push({ accountId, isLogin, from, to: performance.now(), status });
    return answer?.ok ? text : undefined;
  }

  async function change(account: ChaosAccount, method: string, path: string, data: object) {
    const text = await send(account, path, {
      method,
      headers: {
        "Origin": api,
        "Authorization": `Bearer ${account.administrator.token}`,
        "Content-Type": "application/vnd.api+json",
      },
      body: JSON.stringify({ data }),
    });
    return text === undefined ? undefined : (JSON.parse(text) as { data: { id: string } }).data.id;
  }

  async function writer(account: ChaosAccount): Promise<void> {
    let personId: string | undefined;
    while (!stopped) {
      const occupation = `Number ${++count}`;
      const attributes = { occupation, ...(!personId && { "full-name": "Chaos" }) };
      const id = personId
        ? await change(account, "PATCH", `/v1/people/${personId}`, {
            type: "people",
            id: personId,
            attributes,
          })
        : await change(account, "POST", "/v1/people", { type: "people", attributes });
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

  async function visitor(account: ChaosAccount): Promise<void> {
    const { alias, login } = account;
    while (!stopped) {
      await send(account, "/authenticate", {
        isLogin: true,
        method: "POST",
        headers: { "Origin": api, "Content-Type": "application/json" },
        body: JSON.stringify({ account: alias, username: login.email, password: PASSWORD }),
      });
      await wait(LOGIN_PAUSE_MS);
    }
  }

  const running = accounts.flatMap((account) => [
    ...Array.from({ length: WRITERS_PER_ACCOUNT }, () => writer(account)),
    ...(logsIn ? [visitor(account)] : []),
  ]);
  return {
    answers,
    async everyAccountServed(signal) {
      const since = performance.now();
      const served = new Set<string>();
      let seen = answers.length;
      while (served.size < accounts.length && !signal.aborted) {
        await wait(PAUSE_MS);
        for (const one of answers.slice(seen))
          if (isServed(one) && !one.isLogin && one.from > since) served.add(one.accountId);
        seen = answers.length;
      }
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
      return accepted;
    },
  };
}

export const isServed = ({ status }: Answer): boolean => status >= 200 && status < 300;
