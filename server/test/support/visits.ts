import type { Db } from "../../src/store/db.ts";
import type { RequestOptions } from "./service.ts";

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
