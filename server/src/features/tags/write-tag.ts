import type { TagFields } from "./fields.ts";
import { alreadyExists } from "../../jsonapi/definition/constraint-words.ts";
import type { CreateInput, UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { assertMayChange, insertRow, updateRow } from "../../jsonapi/sql/write.ts";
import { conflictWith } from "../../jsonapi/sql/constraint.ts";

export const nameTaken = alreadyExists("/data/attributes/name", "Another tag has this name.");

/** POST /v1/tags */
export async function createTag(
  context: WriteContext<TagFields>,
  input: CreateInput<TagFields>,
): Promise<Written> {
  await assertNameFree(context, input);
  return insertRow(context, context.resource, input);
}

/** PATCH /v1/tags/:id */
export async function updateTag(
  context: WriteContext<TagFields>,
  id: string,
  input: UpdateInput<TagFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  await assertNameFree(context, input, id);
  return updateRow(context, context.resource, id, input);
}

/** The error names the tag that has the name. The unique index rejects parallel requests, whose error names no tag. */
async function assertNameFree(
  { actor, db }: WriteContext,
  { attributes: { name } }: UpdateInput<TagFields>,
  ownId?: string,
): Promise<void> {
  if (name === undefined) return;
  const [taken] = await db<{ id: string }[]>`
    select id from tags where account_id = ${actor.accountId} and lower(name) = lower(${name})
      and id is distinct from ${ownId ?? null}`;
  if (taken) throw conflictWith(nameTaken, taken.id);
}
