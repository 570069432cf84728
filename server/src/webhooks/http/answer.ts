import type { IncomingMessage } from "node:http";
import { SECOND } from "../../base/clock.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { SendFailure } from "./failure.ts";

/** One answer of a receiver, as far as it was received. */
export class Answer {
  /** The final status, once its headers are complete. */
  status: number | undefined;
  /** As received. Several headers are joined, which makes the value invalid. */
  retryAfter: string | undefined;
  /** How long the receiver keeps the idle connection, if it says so. */
  keepMs: number | undefined;
  readonly #body: Buffer[] = [];
  #bodyBytes = 0;
  #interims = 0;

  /** Undefined if the answer has no body, as most have none. */
  get body(): Buffer | undefined {
    const [first, ...more] = this.#body;
    return more.length === 0 ? first : Buffer.concat(this.#body);
  }

  /** Returns whether a body follows. HTTP defines none for a status outside 200 to 599, so the answer ends here. */
  readHead({ statusCode: status = 0, headersDistinct: headers }: IncomingMessage): boolean {
    this.status = status;
    this.retryAfter = headers["retry-after"]?.join(", ");
    const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(headers["keep-alive"]?.join() ?? "")?.[1];
    if (seconds !== undefined) this.keepMs = Number(seconds) * SECOND;
    return status >= 200 && status <= 599;
  }

  /** Returns a failure if there were too many. */
  addInterim(): SendFailure | undefined {
    this.#interims += 1;
    return this.#interims > webhookLimits.interimAnswersMax
      ? new SendFailure("response-headers-too-large", "answering: too many interim answers")
      : undefined;
  }

  /** Returns a failure if the body has become too large. */
  addData(bytes: Buffer): SendFailure | undefined {
    // The start of a body that is too large is kept.
    if (this.#bodyBytes <= webhookLimits.answerBodyBytesMax) this.#body.push(bytes);
    this.#bodyBytes += bytes.length;
    return this.#bodyBytes > webhookLimits.answerBodyBytesMax
      ? new SendFailure("response-body-too-large", "answering: the body is too large")
      : undefined;
  }
}
