import { ApiError, fail, problem } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { ownRows } from "../../../jsonapi/request/reach-conditions.ts";
import { reachTo } from "../../../jsonapi/request/reach.ts";
import { linkableIds } from "../../../jsonapi/sql/read.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { captureRows, insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { type SubmissionStatus, submissionTransitions } from "../submissions/statuses.ts";
import type { ChangeFields, decisions, outcomes } from "./fields.ts";

type Outcome = (typeof outcomes)[number];

const pointer = "/data/relationships/form-submissions/data";

/** POST /v1/form-submission-changes. None of these decisions touches a person, so the submissions alone are locked. */
export async function createChange(
  context: WriteContext<ChangeFields>,
  input: CreateInput<ChangeFields>,
): Promise<Written> {
  const { status } = input.attributes;
  const ids = input.toMany["form-submissions"] ?? [];
  if (ids.length === 0)
    throw fail("invalid-relationship", { rule: "min-items", limit: 1 }, { pointer });
  if (ids.length > limits.formSubmissionsAtOnce)
    throw fail(
      "invalid-relationship",
      { rule: "max-items", limit: limits.formSubmissionsAtOnce },
      { pointer },
    );
  await assertVisible(context, ids);
  const decidable = await lockDecidable(context, ids);
  const outcomeOf = (id: string): Outcome => {
    const present = decidable.get(id);
    if (present === undefined) return "forbidden";
    if (present === status) return "unchanged";
    return submissionTransitions[present].includes(status) ? "changed" : "invalid-transition";
  };
  const results = ids.map((id) => ({ id, outcome: outcomeOf(id) }));
  await decide(
    context,
    results.filter(({ outcome }) => outcome === "changed").map(({ id }) => id),
    status,
  );
  return insertRow(context, context.resource, {
    attributes: { status, results },
    toOne: {},
    toMany: { "form-submissions": ids },
  });
}

/** An absent submission is reported like one that the caller does not read. */
async function assertVisible(context: WriteContext, ids: readonly string[]): Promise<void> {
  const submissions = definitionOf(context.catalogue, "form-submissions");
  const visible = await linkableIds(context, submissions, ids);
  const problems = ids.flatMap((id, position) =>
    visible.has(id)
      ? []
      : problem(
          "invalid-relationship",
          { rule: "not-found" },
          { pointer: `${pointer}/${position}/id` },
        ),
  );
  if (problems.length > 0) throw new ApiError(problems);
}

/** The present status of the submissions that the caller may decide. They are locked in the order of their ids. */
async function lockDecidable(
  { actor, catalogue, db }: WriteContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SubmissionStatus>> {
  const submissions = definitionOf(catalogue, "form-submissions");
  const statement = new StatementBuilder(actor.accountId);
  const reached = ownRows(statement, submissions, reachTo(actor, submissions, "update"));
  const rows = await statement.rows(
    db,
    `select id, status from form_submissions where ${reached} and id = any(${statement.bind([...ids])}::uuid[])
    order by id for no key update of form_submissions`,
  );
  return new Map(rows as unknown as [string, SubmissionStatus][]);
}

/** Receivers that never heard of a submission hear nothing of the decision either. */
async function decide(
  context: WriteContext,
  ids: readonly string[],
  status: (typeof decisions)[number],
): Promise<void> {
  if (ids.length === 0) return;
  const { actor, db } = context;
  const changed = await db<{ id: string; isAnnounced: boolean }[]>`
    update form_submissions
    set status = ${status}, reviewed_by = ${actor.personId}, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])
    returning id, is_announced as "isAnnounced"`;
  beginBatch(db);
  const announced = changed.filter(({ isAnnounced }) => isAnnounced).map(({ id }) => id);
  await captureRows(context, "form-submissions", "form-submission.updated", announced, [
    "status",
    "reviewed-by",
  ]);
}
