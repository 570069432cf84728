import { webhookLimits } from "../../base/webhook-limits.ts";
import { failures, httpAdvice } from "../engine/attempt-codes.ts";
import { retained } from "../history/retained.ts";

/**
 * SQL for computed attributes of an endpoint. Tests compare each expression with the function that computes the same.
 */

const OF_ENDPOINT =
  "health.account_id = webhook_endpoints.account_id and health.endpoint_id = webhook_endpoints.id";

/** Selects from the endpoint's health, which has a table of its own. */
export const ofHealth = (expression: string): string =>
  `(select ${expression} from webhook_endpoint_health health where ${OF_ENDPOINT})`;

/** The SQL form of `effectiveHealth`. */
export const effectiveHealthSql =
  `case when webhook_endpoints.status <> 'active' then webhook_endpoints.status else ` +
  `${ofHealth(
    `case when health.consecutive_failures = 0 then 'healthy'` +
      ` when health.consecutive_failures < ${webhookLimits.failingFromFailures} then 'degraded' else 'failing' end`,
  )} end`;

export const isoTimestamp = (moment: string): string =>
  `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const OWN = "account_id = webhook_endpoints.account_id and endpoint_id = webhook_endpoints.id";

/** The state of the newest verification. Its endpoint may have another URL by now. */
export const verificationSql = `(
  select json_build_object('delivery-id', delivery.id,
    'status', case delivery.status when 'delivered' then 'succeeded'
      when 'pending' then 'pending' when 'retry-scheduled' then 'pending' when 'blocked-system' then 'pending'
      when 'expired' then 'expired' else 'failed' end,
    'attempt-count', delivery.attempt_count, 'next-attempt-at', ${isoTimestamp("delivery.next_attempt_at")},
    'last-error-code', (select error_code from webhook_attempts attempt
      where attempt.account_id = delivery.account_id and attempt.delivery_id = delivery.id
      order by sequence desc limit 1),
    'expires-at', ${isoTimestamp("delivery.expires_at")})
  from webhook_controls control
  join webhook_deliveries delivery on delivery.account_id = control.account_id and delivery.message_id = control.id
    and delivery.id >= history_floor(control.created_at)
    and delivery.id < history_floor(control.created_at + interval '1 millisecond')
  where control.account_id = webhook_endpoints.account_id and control.endpoint_id = webhook_endpoints.id
    and control.control_type = 'webhook.verification' and ${retained("control")}
  order by control.created_at desc limit 1)`;

/** The numbers of each hour of the last seven days that has any. */
export const hoursSql = `(
  select coalesce(json_agg(json_build_object('at', ${isoTimestamp("hour")}, 'attempts', attempts, 'retries', retries,
    'succeeded', succeeded, 'failed', failed, 'p95-ms', latency_within(0.95, latencies::bigint[])) order by hour), '[]')
  from webhook_hours where ${OWN} and hour > date_trunc('hour', now(), 'UTC') - interval '168 hours')`;

const json = (value: object): string => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;

const messages = json(
  Object.fromEntries(Object.entries(failures).map(([code, { message }]) => [code, message])),
);
const advice = json(httpAdvice);

/** The SQL form of `failureMessage`, for a column that contains a code. */
export function failureMessageSql(code: string): string {
  const status = `lpad(substr(${code}, 6), 3, '0')`;
  return (
    `coalesce(${messages} ->> ${code}, 'The receiver answered ' || ${status} || '. ' || ` +
    `coalesce(${advice} ->> ${status}, ${advice} ->> (left(${status}, 1) || 'xx'), 'Respond with 2xx.'))`
  );
}

export const lastFailureSql = ofHealth(
  `case when health.last_failure_code is not null then jsonb_build_object('code', health.last_failure_code,` +
    ` 'message', ${failureMessageSql("health.last_failure_code")}) end`,
);
