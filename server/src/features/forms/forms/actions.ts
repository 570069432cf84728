import type { Permission } from "../../../access/permissions.ts";
import { ApiError, notAllowedHere, type Problem, problem } from "../../../base/errors.ts";
import type { RowInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { assertMayAt } from "../../../jsonapi/sql/reach.ts";
import { linkableIds } from "../../../jsonapi/sql/read.ts";
import type { FormFields } from "./fields.ts";

type SentActions = NonNullable<RowInput<FormFields>["attributes"]["actions"]>;

/** The actions of a form with all members. */
export type Actions = Required<{
  [Name in keyof SentActions]: NonNullable<SentActions[Name]> | null;
}> & {
  "create-or-match-person": boolean;
  "notify": readonly string[];
};

export const NO_ACTIONS: Actions = {
  "create-or-match-person": false,
  "add-to-cell": null,
  "enroll-in-class": null,
  "notify": [],
};

const POINTER = "/data/attributes/actions";

/** The actions that put a person somewhere: the type of the place, and the right that its staff have. */
export const placements = [
  { name: "add-to-cell", type: "cells", noun: "cell", needs: "cell-memberships:write" },
  {
    name: "enroll-in-class",
    type: "course-classes",
    noun: "class",
    needs: "course-enrollments:write",
  },
] as const satisfies readonly {
  name: keyof Actions;
  type: string;
  noun: string;
  needs: Permission;
}[];

/**
 * Checks actions before they are stored. The author of a new action needs the right that the action uses. The ids that the form
 * already has stay.
 */
export async function readActions(
  context: WriteContext,
  sent: SentActions,
  stored: Actions = NO_ACTIONS,
): Promise<Actions> {
  const actions: Actions = {
    "create-or-match-person": sent["create-or-match-person"] ?? false,
    "add-to-cell": sent["add-to-cell"] ?? null,
    "enroll-in-class": sent["enroll-in-class"] ?? null,
    "notify": [...(sent.notify ?? [])].sort(),
  };
  for (const { name, needs, noun, type } of placements) {
    const id = actions[name];
    if (id !== null && id !== stored[name])
      await assertMayAt(type, noun)(context, needs, id, `${POINTER}/${name}`);
  }
  const problems: Problem[] = [];
  for (const { name, type } of placements) {
    const id = actions[name];
    if (id === null) continue;
    const source = { pointer: `${POINTER}/${name}` };
    if (!actions["create-or-match-person"])
      problems.push(
        problem("invalid-attribute", notAllowedHere("It needs `create-or-match-person`."), source),
      );
    else if (id !== stored[name] && !(await isPresent(context, type, id)))
      problems.push(problem("invalid-attribute", { rule: "not-found" }, source));
  }
  problems.push(...(await unknownPeople(context, sent.notify ?? [], stored.notify)));
  if (problems.length > 0) throw new ApiError(problems);
  return actions;
}

/** Keeps the target of an action from being deleted, so that the form can name it. False if it does not exist. */
async function isPresent(
  { actor, catalogue, db }: WriteContext,
  type: "cells" | "course-classes",
  id: string,
): Promise<boolean> {
  const { accountId } = actor;
  const { lockCell, lockClass } = catalogue.published;
  const locked =
    type === "cells"
      ? await lockCell(db, accountId, id)
      : await lockClass(db, { accountId, classId: id });
  return locked !== undefined;
}

async function unknownPeople(
  context: WriteContext,
  sent: readonly string[],
  stored: readonly string[],
): Promise<Problem[]> {
  const added = sent.filter((id) => !stored.includes(id));
  if (added.length === 0) return [];
  const type = definitionOf(context.catalogue, "people");
  const known = await linkableIds(context, type, added);
  return added
    .filter((id) => !known.has(id))
    .map((id) =>
      problem(
        "invalid-attribute",
        { rule: "not-found" },
        {
          pointer: `${POINTER}/notify/${sent.indexOf(id)}`,
        },
      ),
    );
}

/** Stores the targets of actions with foreign keys, so that a deletion removes them. */
export async function storeActions(
  { actor, db }: WriteContext,
  formId: string,
  actions: Actions,
): Promise<void> {
  const { accountId } = actor;
  await db`
    update forms set add_to_cell_id = ${actions["add-to-cell"]}, enroll_in_class_id = ${actions["enroll-in-class"]}
    where account_id = ${accountId} and id = ${formId}`;
  await db`
    delete from form_notified_people
    where account_id = ${accountId} and form_id = ${formId} and person_id <> all(${[...actions.notify]}::uuid[])`;
  await db`
    insert into form_notified_people (account_id, form_id, person_id)
    select ${accountId}, ${formId}, person_id from unnest(${[...actions.notify]}::uuid[]) as person_id
    on conflict do nothing`;
}
