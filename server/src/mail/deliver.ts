import { observe } from "../base/observe.ts";
import type { JobContext, Queue } from "../jobs/queues.ts";
import { type Mail, type Mailer, MailNotSent, MailRefused } from "./mailer.ts";

/** The settings of a queue whose jobs each send one mail. The retries take about eight hours. */
export const mailQueue = {
  atOnce: 5,
  pollSeconds: 2,
  retries: 14,
  retryDelaySeconds: 30,
  retryDelaySecondsMax: 3_600,
  secondsMax: 120,
} as const satisfies Partial<Queue>;

/**
 * Sends the mail of a job. Returns false if the mail server rejected it for good. Other errors make the job retry. A worker
 * that dies after it sent a mail sends it again.
 */
export async function deliver(
  { jobId, mailer, signal }: JobContext & { mailer: Mailer | undefined },
  queue: string,
  mail: Mail,
): Promise<boolean> {
  if (!mailer) throw new MailNotSent("This node has no SMTP_URL.");
  try {
    await mailer.send(mail, { id: jobId, signal });
    return true;
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    observe({ kind: "mail-refused", queue, error });
    return false;
  }
}
