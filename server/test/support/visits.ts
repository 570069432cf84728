import { createHash } from "node:crypto";
import type { Challenge } from "../../src/features/visitors/challenges.ts";
import type { Db } from "../../src/store/db.ts";
import { type Answer, one, type RequestOptions, type TestService } from "./service.ts";

/** The origin of a website that may read an account's public area. */
export const WEBSITE = "https://www.church.example";

/** Approves the account and lists the website among its `public-origins`. */
export async function openPublicArea(
  db: Db,
  accountId: string,
  settings: Record<string, unknown> = {},
): Promise<void> {
  const merged = JSON.stringify({ "public-origins": [WEBSITE], ...settings });
  await db`
    update accounts set integration_approved = true, settings = settings || ${merged}::text::jsonb
    where id = ${accountId}`;
}

/** The headers of a page of a website. */
export const visitorOf = (
  accountId: string,
  headers: Record<string, string | null> = {},
): RequestOptions => ({
  as: null,
  headers: { Authorization: `Account ${accountId}`, Origin: WEBSITE, ...headers },
});

let visitors = 0;

/** The address of another visitor. The service must trust 127.0.0.1 as a proxy. */
export function anotherAddress(): string {
  visitors += 1;
  return `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
}

/** The options of a service behind a proxy, so that its visitors have addresses of their own. */
export const BEHIND_PROXY = { trustedProxies: ["127.0.0.1"] } as const;

/** Sends a document from a page of the website, as a visitor with another address each time. */
export const sendAsVisitor = (
  service: TestService,
  accountId: string,
  path: string,
  body: unknown,
  headers: Record<string, string | null> = {},
): Promise<Answer> =>
  service.post(
    `/p/v1/${path}`,
    body,
    visitorOf(accountId, { "X-Forwarded-For": anotherAddress(), ...headers }),
  );

/** Fetches a challenge and solves it. */
export async function solvedProof(service: TestService, accountId: string): Promise<string> {
  const answer = await sendAsVisitor(service, accountId, "challenges", {
    data: { type: "challenges" },
  });
  return solve(one(answer).attributes as unknown as Challenge);
}

/** Solves a challenge like the ALTCHA widget, in the form in which the widget sends it. */
export function solve({ algorithm, challenge, maxnumber, salt, signature }: Challenge): string {
  let number = 0;
  const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
  while (number <= maxnumber && hashOf(`${salt}${number}`) !== challenge) number += 1;
  const payload = { algorithm, challenge, number, salt, signature, took: 7 };
  return Buffer.from(JSON.stringify(payload)).toString("base64");
}
