import { fail, invalid } from "../../base/errors.ts";
import type { WebhookParts } from "../parts.ts";
import { type JudgedUrl, judgeUrl } from "./url.ts";

const POINTER = "/data/attributes/url";

/** The URL as it is compared and called, or the 422 with the sentence that says what is wrong with it. */
export function judgedUrl(raw: string, { allowed }: Pick<WebhookParts, "allowed">): JudgedUrl {
  const judged = judgeUrl(raw, allowed);
  if ("mistake" in judged) throw invalid(POINTER, judged.mistake);
  return judged;
}

/** The sentence that says what is wrong with a URL, when it is read. */
export function urlMistake(
  raw: string,
  { allowed }: Pick<WebhookParts, "allowed">,
): string | undefined {
  const judged = judgeUrl(raw, allowed);
  return "mistake" in judged ? judged.mistake : undefined;
}

/** What only name servers know. It takes time: no transaction is open meanwhile. */
export async function assertHostUsable(
  raw: string,
  parts: Pick<WebhookParts, "allowed" | "judgeHost">,
): Promise<void> {
  const verdict = await parts.judgeHost(judgedUrl(raw, parts).host);
  if (verdict === "none")
    throw fail("url-unresolvable", "The URL's host does not resolve to any address.", {
      pointer: POINTER,
    });
  if (verdict === "refused")
    throw invalid(
      POINTER,
      "The URL's host resolves to an address that is not public. All of its addresses must be.",
    );
}

/**
 * Runs a write that the unique index of URLs may refuse. It is asked rather than looked up before: of two who register
 * the same URL at once it lets one through, and after a deletion that is under way it lets the next one through.
 */
export async function refusingDuplicates<T>(write: PromiseLike<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== "webhook_endpoints_url_key") throw error;
    throw fail("duplicate-url", "An endpoint with this URL already exists.", { pointer: POINTER });
  }
}
