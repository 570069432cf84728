import { fail, invalid, notAllowedHere } from "../../base/errors.ts";
import type { Broken } from "../../base/rules.ts";
import type { WebhookParts } from "../parts.ts";
import { type JudgedUrl, judgeUrl } from "./url.ts";

const POINTER = "/data/attributes/url";

/** Returns the normalized URL, or throws 422. */
export function judgedUrl(raw: string, { allowed }: Pick<WebhookParts, "allowed">): JudgedUrl {
  const judged = judgeUrl(raw, allowed);
  if ("mistake" in judged) throw invalid(POINTER, brokenBy(judged));
  return judged;
}

/** Returns the rule that a URL breaks, or undefined if it is valid. */
export function urlMistake(
  raw: string,
  { allowed }: Pick<WebhookParts, "allowed">,
): Broken | undefined {
  const judged = judgeUrl(raw, allowed);
  return "mistake" in judged ? brokenBy(judged) : undefined;
}

const brokenBy = ({ mistake }: { mistake: string }): Broken => ({
  rule: "format",
  format: "webhook-url",
  hint: mistake,
});

/** Resolves and checks the host. No transaction may be open, because this takes time. */
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
      notAllowedHere(
        "The URL's host resolves to an address that is not public. All of its addresses must be.",
      ),
    );
}

/** The index decides, because a look-up before the write could miss a concurrent registration or deletion. */
export const urlTaken = {
  pointer: POINTER,
  code: "duplicate-url",
  detail: "An endpoint with this URL already exists.",
} as const;
