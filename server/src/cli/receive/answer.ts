import type { Judgement } from "./known-secrets.ts";
import type { Message } from "./message.ts";

/** How events and test messages are answered. Verifications are always answered correctly, so that events follow. */
export interface Conduct {
  readonly status: number;
  readonly delayMs: number;
}

export interface Answer extends Conduct {
  readonly body: string;
}

export function answerTo(
  message: Message | undefined,
  judgement: Judgement,
  conduct: Conduct,
): Answer {
  if (judgement.signature === "wrong") return atOnce(401, { error: judgement.reason });
  if (!message) return atOnce(400, { error: "This is not a Vestry message." });
  const { challenge } = message.data.attributes;
  if (challenge !== undefined) return atOnce(200, { meta: { challenge } });
  // No status needs a body, and 204 and 205 allow none.
  return { ...conduct, body: "" };
}

const atOnce = (status: number, body: object): Answer => ({
  status,
  delayMs: 0,
  body: JSON.stringify(body),
});
