import { webhookLimits } from "../../base/webhook-limits.ts";
import { failures, httpAdvice } from "../engine/attempt-codes.ts";

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
