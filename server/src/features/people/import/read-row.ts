import type { ImportedValues } from "../../../jsonapi/definition/importer.ts";
import type { ResourceInput } from "../../../jsonapi/definition/input.ts";
import {
  type Resource,
  targetOf,
  type WriteContext,
} from "../../../jsonapi/definition/resource.ts";
import { parseResource } from "../../../jsonapi/request/input.ts";
import { customFieldsIn } from "../../../jsonapi/sql/read.ts";

export const peopleOf = ({ catalogue }: Pick<WriteContext, "catalogue">): Resource =>
  targetOf(catalogue, { target: "people" });

/** Checks the values of a row as the API checks a document that creates a person, or changes the one with this id. */
export async function readRow(
  context: WriteContext,
  values: ImportedValues,
  id: string | null,
): Promise<ResourceInput> {
  const of = peopleOf(context);
  const customFields = await customFieldsIn(context, of);
  const data = { type: of.type, ...(id !== null && { id }), attributes: values };
  return parseResource(
    of,
    { data },
    { actor: context.actor, customFields, ...(id !== null && { id }) },
  );
}
