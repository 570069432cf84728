import { fail } from "../../../base/errors.ts";
import { layoutOf } from "../../../jsonapi/definition/layout.ts";
import {
  type ComputedPage,
  type ComputedQuery,
  type ReadContext,
  targetOf,
} from "../../../jsonapi/definition/resource.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { addDays } from "../../../base/dates.ts";
import { firstDayOfWeek } from "./dates.ts";

const WEEKS_SHOWN = 8;
const WEEKS_MAX = 53;

/**
 * GET /v1/cell-report-summaries. The inner part of the statement finds the weeks of the page and their total, and reads only
 * meetings. The outer part also counts attendances, and only of these weeks.
 */
export async function listSummaries(
  context: ReadContext,
  { descending, filters, limit, offset, where }: ComputedQuery,
): Promise<ComputedPage> {
  const { actor, catalogue, db } = context;
  const { from, to } = await weeksOf(context, filters);
  const resource = targetOf(catalogue, { target: "cell-report-summaries" });
  const reading = new StatementBuilder(actor.accountId);
  const among =
    `from ${resource.table} where ${where(reading)}` +
    ` and week between ${reading.bind(from)}::date and ${reading.bind(to)}::date`;
  const order = `week ${descending ? "desc" : "asc"}, cell_id`;
  const counted = `select count(*) from (select 1 ${among}) as summary`;
  const page = `select cell_id, week ${among} order by ${order} limit ${reading.bind(limit)} offset ${reading.bind(offset)}`;
  // An empty page is one row of the total and nulls.
  const rows = await reading.rows(
    db,
    `select ${layoutOf(resource).columns}, counted.total from (select (${counted}) as total) as counted` +
      ` left join ((${page}) as found cross join lateral (select * from ${resource.table} one` +
      ` where one.account_id = ${reading.account} and one.cell_id = found.cell_id and one.week = found.week) as ${resource.table})` +
      ` on true order by ${order.replaceAll(/week|cell_id/g, `${resource.table}.$&`)}`,
  );
  const total = rows[0]?.at(-1) as number;
  return { rows: total > offset ? rows : [], total };
}

/** The first days of the first and the last week. Without filters these are the last weeks up to the present one. */
async function weeksOf(
  { actor, db }: ReadContext,
  filters: ReadonlyMap<string, string>,
): Promise<{ from: string; to: string }> {
  const [account] = await db<{ today: string; first: number }[]>`
    select today_in(account_id)::text as today, first_weekday as first
    from account_facts where account_id = ${actor.accountId}`;
  const { first, today } = account ?? { first: 0, today: "" };
  const [given, last] = [filters.get("from")?.trim(), filters.get("to")?.trim()];
  const to = firstDayOfWeek(last ?? (given !== undefined && given > today ? given : today), first);
  const from =
    given === undefined ? addDays(to, -7 * (WEEKS_SHOWN - 1)) : firstDayOfWeek(given, first);
  if (addDays(from, 7 * (WEEKS_MAX - 1)) < to) {
    const parameter = given === undefined ? "filter[to]" : "filter[from]";
    throw fail("invalid-parameter", `The range has more than ${WEEKS_MAX} weeks.`, { parameter });
  }
  return { from, to };
}
