import type { ImportedValues } from "../../../jsonapi/definition/importer.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { Resource, WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf, forType } from "../../../jsonapi/definition/targets.ts";
import { people } from "../definition.ts";
import type { PersonFields } from "../fields.ts";
import { parseResource } from "../../../jsonapi/request/input.ts";
import { customFieldsIn } from "../../../jsonapi/sql/read.ts";

export const peopleOf = ({ catalogue }: Pick<WriteContext, "catalogue">): Resource =>
  definitionOf(catalogue, "people");

/** Checks the values of a row as the API checks a document that creates a person, or changes the one with this id. */
export async function readRow(
  context: WriteContext,
  values: ImportedValues,
  id: string | null,
): Promise<UpdateInput<PersonFields>> {
  const { resource } = forType(context, people);
  const customFields = await customFieldsIn(context, resource);
  const data = { type: resource.type, ...(id !== null && { id }), attributes: values };
  return parseResource(
    resource,
    { data },
    { actor: context.actor, customFields, ...(id !== null && { id }) },
  );
}
