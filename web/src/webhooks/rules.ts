import type { DeliveryRecord, EndpointRow } from "../data/webhooks.ts";

export type Obstacle = "kind" | "state" | "endpoint" | "unverified" | "paused" | "unsubscribed";

const FAILED: readonly string[] = ["exhausted", "failed-permanent", "suppressed"];

/** Why a delivery cannot be delivered again now, by the rules of the service. Null stands for an endpoint that was deleted. */
export function obstacleTo(
  { kind, status, "event-type": type }: Pick<DeliveryRecord, "kind" | "status" | "event-type">,
  endpoint: Pick<EndpointRow, "status" | "events"> | null,
): Obstacle | undefined {
  if (kind !== "production") return "kind";
  if (!FAILED.includes(status)) return "state";
  if (endpoint === null) return "endpoint";
  if (endpoint.status === "pending-verification") return "unverified";
  if (endpoint.status === "paused") return "paused";
  return endpoint.events.some((one) => one === type) ? undefined : "unsubscribed";
}

/** What can be seen of an address without asking for it. The service also resolves its host. */
export type UrlMistake = "form" | "https" | "credentials" | "fragment";

export function mistakeIn(text: string): UrlMistake | undefined {
  const url = URL.parse(text.trim());
  if (url === null) return "form";
  if (url.protocol !== "https:") return "https";
  if (url.username !== "" || url.password !== "") return "credentials";
  return url.hash !== "" || text.includes("#") ? "fragment" : undefined;
}

export type Hour = {
  at: string;
  attempts: number;
  succeeded: number;
  failed: number;
};

/** The hours of a window in equal steps, oldest first, with those that have no numbers. Step and window are in hours. */
export function stepsOf(
  hours: readonly Hour[],
  { now, span, step }: { now: number; span: number; step: number },
) {
  const HOUR = 3_600_000;
  const end = (Math.floor(now / HOUR) + 1) * HOUR;
  return Array.from({ length: span / step }, (_, index) => {
    const from = end - (span - index * step) * HOUR;
    const to = from + step * HOUR;
    const own = hours.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to);
    const sum = (of: (hour: Hour) => number) => own.reduce((total, one) => total + of(one), 0);
    const [attempts, delivered, failed] = [
      sum((one) => one.attempts),
      sum((one) => one.succeeded),
      sum((one) => one.failed),
    ];
    return { from, to, delivered, retried: Math.max(0, attempts - delivered - failed), failed };
  });
}
