import { fail } from "../../../base/errors.ts";
import { layoutOf } from "../../../jsonapi/definition/layout.ts";
import type {
  ComputedPage,
  ComputedQuery,
  ReadContext,
} from "../../../jsonapi/definition/resource.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { addDays } from "../../../base/dates.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { firstDayOfWeek } from "./dates.ts";

const WEEKS_SHOWN = 8;
const WEEKS_MAX = 53;

/** GET /v1/cell-report-summaries */
export function listSummaries(context: ReadContext, query: ComputedQuery): Promise<ComputedPage> {
  return listWeeks(context, query, {
    type: "cell-report-summaries",
    key: "cell_id",
    rows: () => "select cell_id as key, cell_id || '.' || week as id, counts.* from counts",
  });
}

/** GET /v1/cell-report-totals. With `filter[group]`, a cell counts for the supervision directly above it. */
export function listTotals(context: ReadContext, query: ComputedQuery): Promise<ComputedPage> {
  const isGrouped = query.filters.has("group");
  const supervision = isGrouped ? "cells.parent_id" : "null::uuid";
  const cells = (account: string) =>
    isGrouped
      ? `left join cells on cells.account_id = ${account} and cells.id = counts.cell_id`
      : "";
  return listWeeks(context, query, {
    type: "cell-report-totals",
    key: isGrouped ? "supervision_id" : "null::uuid",
    rows: (account) =>
      `select ${supervision} as key, concat_ws('.', ${supervision}, week) as id, week, ${supervision} as supervision_id, ${sums} from counts ${cells(account)} group by 1, 2, 3`,
  });
}

const sums = [
  "expected",
  "submitted",
  "held",
  "present",
  "visitors",
  "members",
  "member_days",
  "members_present",
]
  .map((name) => `sum(${name})::integer as ${name}`)
  .join(", ");

interface Weeks {
  type: string;
  /** The column of `cell_meeting_weeks` that tells the rows of a week apart. */
  key: string;
  /** A statement with the rows, from the numbers of each cell and week (`counts`). */
  rows: (account: string) => string;
}

/** The statement finds the rows of the page and their total without counting, and then counts the weeks of the page. */
async function listWeeks(
  context: ReadContext,
  { descending, filters, limit, offset, where }: ComputedQuery,
  { key, rows, type }: Weeks,
): Promise<ComputedPage> {
  const { actor, catalogue, db } = context;
  const { from, to } = await weeksOf(context, filters);
  const resource = definitionOf(catalogue, type);
  const { table } = resource;
  const statement = new StatementBuilder(actor.accountId);
  const order = (of: string) => `${of}.week ${descending ? "desc" : "asc"}, ${of}.key`;
  const same = (of: string) => `${of}.week = page.week and ${of}.key is not distinct from page.key`;
  const among =
    `select ${key} as key, cell_id, week from cell_meeting_weeks as ${table} where ${where(statement)}` +
    ` and date between ${statement.bind(from)}::date and ${statement.bind(to)}::date + 6 group by 1, 2, 3`;
  // An empty page is one row of the total and nulls.
  const found = await statement.rows(
    db,
    `with cell_week as materialized (${among}),
      listed as materialized (select week, key from cell_week group by 1, 2),
      page as materialized (select * from listed order by ${order("listed")} limit ${statement.bind(limit)} offset ${statement.bind(offset)}),
      counts as materialized (select * from cell_week_counts(${statement.account},
        array(select distinct cell_id from cell_week where exists (select from page where ${same("cell_week")})),
        (select min(week) from page), (select max(week) + 6 from page)))
    select ${layoutOf(resource).columns}, counted.total from (select count(*)::integer as total from listed) as counted
    left join (select made.*, round(100.0 * submitted / nullif(expected, 0))::integer as rate,
        round(100.0 * members_present / nullif(member_days, 0))::integer as attendance_rate
      from page join (${rows(statement.account)}) as made
        on ${same("made")}) as ${table} on true
    order by ${order(table)}`,
  );
  const total = found[0]?.at(-1) as number;
  return { rows: total > offset ? found : [], total };
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
  const earliest = addDays(to, -7 * (WEEKS_MAX - 1));
  if (from < earliest)
    throw fail(
      "invalid-parameter",
      { rule: "too-early", limit: earliest, hint: `A range has at most ${WEEKS_MAX} weeks.` },
      { parameter: "filter[from]" },
    );
  return { from, to };
}
