import { isUtf8 } from "node:buffer";
import { webhookLimits } from "../../base/webhook-limits.ts";

/** The bytes of a character that the limit cut in two. */
const CUT_BYTES_MAX = 3;

/**
 * The start of a receiver's answer, for the administrators who look for the reason of a failure. Undefined if the answer is empty or
 * no text. An error page can contain the settings of the receiver, so signing secrets in it are removed.
 */
export function answerText(body: Uint8Array | undefined): string | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const start = body.subarray(0, webhookLimits.answerTextBytesMax);
  for (let cut = 0; cut <= CUT_BYTES_MAX; cut += 1) {
    const whole = start.subarray(0, Math.max(0, start.length - cut));
    if (isUtf8(whole)) return cleaned(Buffer.from(whole).toString()) || undefined;
    // Only the limit cuts characters.
    if (start.length === body.length) return undefined;
  }
  return undefined;
}

/** PostgreSQL stores no NUL, and no reader needs other control characters. */
const cleaned = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, (one) => (/[\t\n\r]/.test(one) ? one : "\uFFFD"))
    .replace(/whsec_[\w+/=-]+/g, "whsec_…");
