import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type {
  WebhookDeliveryKind,
  WebhookDeliveryStatus,
  WebhookDeliverySuppressionReason,
  WebhookEndpointChangeChange,
  WebhookEndpointEffectiveHealth,
  WebhookEndpointPauseReason,
} from "@vestry/sdk";
import type { DeliveryOutcome } from "../data/webhooks.ts";
import type { Tone } from "../ui/chip.tsx";

type Words<Value extends string> = Readonly<Record<Value, MessageDescriptor>>;

export const healthWords: Words<WebhookEndpointEffectiveHealth> = {
  "pending-verification": msg`Waits for verification`,
  "paused": msg({ message: "Paused", context: "endpoint" }),
  "healthy": msg`Healthy`,
  "degraded": msg`Degraded`,
  "failing": msg`Failing`,
};

export const healthTones: Readonly<Record<WebhookEndpointEffectiveHealth, Tone>> = {
  "pending-verification": "info",
  "paused": "plain",
  "healthy": "plain",
  "degraded": "warn",
  "failing": "bad",
};

/** The endpoints that need a look stand first. */
export const HEALTH_ORDER: readonly WebhookEndpointEffectiveHealth[] = [
  "failing",
  "degraded",
  "pending-verification",
  "paused",
  "healthy",
];

export const outcomeWords: Words<DeliveryOutcome> = {
  failed: msg({ message: "Failed", context: "delivery" }),
  waiting: msg({ message: "Waiting", context: "delivery" }),
  delivered: msg({ message: "Delivered", context: "delivery" }),
  suppressed: msg({ message: "Not sent", context: "delivery" }),
};

export const outcomeTones: Readonly<Record<DeliveryOutcome, Tone>> = {
  failed: "bad",
  waiting: "warn",
  delivered: "plain",
  suppressed: "plain",
};

/** The service folds its states in the same way. */
export const outcomeOf = (status: WebhookDeliveryStatus): DeliveryOutcome => OUTCOME_OF[status];

const OUTCOME_OF: Readonly<Record<WebhookDeliveryStatus, DeliveryOutcome>> = {
  "pending": "waiting",
  "processing": "waiting",
  "retry-scheduled": "waiting",
  "blocked-system": "waiting",
  "delivered": "delivered",
  "failed-permanent": "failed",
  "exhausted": "failed",
  "expired": "failed",
  "suppressed": "suppressed",
};

export const stateWords: Words<WebhookDeliveryStatus> = {
  "pending": msg`It is ready for its first attempt.`,
  "processing": msg`An attempt is under way.`,
  "retry-scheduled": msg`The attempt failed. Another one follows.`,
  "blocked-system": msg`The service itself failed. It tries again, and this uses no attempt.`,
  "delivered": msg`The receiver accepted it.`,
  "failed-permanent": msg`The receiver refused it for good, so there is no other attempt.`,
  "exhausted": msg`All attempts failed.`,
  "suppressed": msg`It was not sent.`,
  "expired": msg`Its time ended before it was sent.`,
};

export const suppressionWords: Words<WebhookDeliverySuppressionReason> = {
  "pending-verification": msg`The address of the endpoint was not verified.`,
  "manual-pause": msg`Somebody paused the endpoint.`,
  "health-pause": msg`The endpoint was paused after it failed for seven days.`,
  "security-policy": msg`The address of the endpoint is not public.`,
  "subscription-removed": msg`The endpoint no longer gets events of this type.`,
  "destination-version-mismatch": msg`It was meant for an earlier address of the endpoint.`,
  "url-changed": msg`The address of the endpoint was set again before it was sent.`,
  "verification-superseded": msg`A newer verification replaced this one.`,
  "deleted": msg`The endpoint was deleted.`,
};

export const pauseWords: Words<WebhookEndpointPauseReason> = {
  "manual": msg`Somebody paused this endpoint. Events are not sent, and are not sent later either.`,
  "health": msg`The service paused this endpoint after it failed for seven days.`,
  "security-policy": msg`The address is not public. Change the URL, or set it again if it is public now.`,
};

export const kindWords: Words<WebhookDeliveryKind> = {
  production: msg({ message: "Event", context: "kind of delivery" }),
  verification: msg({ message: "Verification", context: "kind of delivery" }),
  test: msg({ message: "Test", context: "kind of delivery" }),
};

export const changeWords: Words<WebhookEndpointChangeChange> = {
  "created": msg`registered the endpoint`,
  "updated": msg`changed the name or the events`,
  "url-changed": msg`changed the URL`,
  "paused": msg`paused the endpoint`,
  "resumed": msg`resumed the endpoint`,
  "verification-requested": msg`asked for a verification`,
  "verified": msg`The receiver was verified`,
  "secret-rotated": msg`rotated the secret`,
  "deleted": msg`deleted the endpoint`,
};

export const personalWords: Words<"none" | "ids" | "details"> = {
  none: msg`no personal data`,
  ids: msg`ids of people`,
  details: msg`names and contact data`,
};

const failures: Readonly<Record<string, MessageDescriptor>> = {
  "timeout": msg`The receiver did not answer within 10 seconds. Let it answer first and work afterwards.`,
  "connection-refused": msg`The connection failed. Check that the receiver runs and that its firewall lets the service in.`,
  "connection-reset": msg`The receiver closed the connection in the middle of its answer. Check its log for a crash.`,
  "dns-failure": msg`The name of the host did not resolve. Check its DNS records.`,
  "dns-private-address": msg`The address of the receiver is not public, so nothing was sent. Correct its DNS records and set the URL again.`,
  "tls-failure": msg`The secure connection failed. Check that the certificate is valid, names this host and includes its chain.`,
  "response-headers-too-large": msg`The headers of the answer exceed 16 KiB.`,
  "response-body-too-large": msg`The answer exceeds 4 KiB. Send a small one or none.`,
  "challenge-missing": msg`The answer has no challenge. Answer with 2xx and repeat the challenge of the message.`,
  "challenge-mismatch": msg`The answer has another challenge. Repeat the challenge of this message unchanged.`,
  "protocol-error": msg`The answer is no valid HTTP. Check that the URL and its port belong to a web server.`,
};

const system = msg`The service itself failed and tries again. The receiver is not at fault.`;

const statuses: Readonly<Record<string, MessageDescriptor>> = {
  "401": msg`The receiver probably verifies with an old secret, or asks for a log-in.`,
  "403": msg`The receiver refuses the request. Check for a log-in, a firewall or a protection against bots.`,
  "404": msg`Check the path of the URL.`,
  "405": msg`The receiver must accept POST at this path.`,
  "410": msg`If this receiver is gone for good, delete the endpoint.`,
  "413": msg`The receiver must accept bodies of up to 128 KiB.`,
  "415": msg`The receiver must accept the content type application/vnd.api+json.`,
  "429": msg`The receiver is busy. The service tries again later.`,
  "1": msg`This status does not complete a request. Answer with 2xx.`,
  "3": msg`Redirects are not followed. Set the URL to the final address.`,
  "4": msg`Check the log of the receiver for the reason.`,
  "5": msg`The service tries again later. Check the log of the receiver for the error.`,
};

/** What an error code of an attempt means, and what to do. Undefined for a code that this version of the app does not know. */
export function failureWords(code: string): MessageDescriptor | undefined {
  const status = /^http-(\d+)$/.exec(code)?.[1];
  if (status !== undefined) return statuses[status] ?? statuses[status[0] ?? ""];
  return failures[code] ?? (code.startsWith("system-") ? system : undefined);
}

/** The status of an error code that names one. */
export const statusIn = (code: string): string | undefined => /^http-(\d+)$/.exec(code)?.[1];
