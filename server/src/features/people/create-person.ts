import { holds } from "../../access/policy.ts";
import { fail } from "../../base/errors.ts";
import type { PersonFields } from "./fields.ts";
import type { CreateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { insertPerson, insertProspect } from "./create-prospect.ts";
import { datesIn, assertPossibleDates } from "./dates.ts";

/** POST /v1/people. Callers without `people:write` create prospects. */
export async function createPerson(
  context: WriteContext<PersonFields>,
  input: CreateInput<PersonFields>,
): Promise<Written> {
  if (!holds(context.actor, "people:write")) return createOwnProspect(context, input);
  assertPossibleDates(datesIn(input.attributes) ?? {}, {});
  return insertPerson(context, input);
}

async function createOwnProspect(
  context: WriteContext,
  input: CreateInput<PersonFields>,
): Promise<Written> {
  const status = input.attributes["membership-status"] ?? "prospect";
  if (status !== "prospect")
    throw fail("forbidden", "This person may create only prospects.", {
      pointer: "/data/attributes/membership-status",
    });
  return insertProspect(context, input);
}
