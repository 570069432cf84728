import type { Problem } from "../../base/errors.ts";
import type { ImportedValues } from "../definition/importer.ts";
import type { CreateInput, Fields } from "../definition/input.ts";
import type { WriteContext } from "../definition/resource.ts";
import { type DocumentMembers, parseResource } from "../request/input.ts";
import { problemsOf } from "./write-apart.ts";

interface ParsedRow<F extends Fields> {
  /** The values that belong to the fields. Others only find the person of the row. */
  values: ImportedValues;
  problems: readonly Problem[];
  /** Undefined if there are problems. */
  attributes?: CreateInput<F>["attributes"];
}

/** Checks the values of a row of an import as the API checks a document. */
export function parseRow<F extends Fields>(
  { actor }: WriteContext,
  fields: DocumentMembers & F,
  given: ImportedValues,
): ParsedRow<F> {
  const values = Object.fromEntries(
    Object.entries(given).filter(([name]) => Object.hasOwn(fields.attributes, name)),
  );
  const document = { data: { type: fields.type, attributes: values } };
  try {
    const { attributes } = parseResource<F>(fields, document, { actor, customFields: undefined });
    return { values, problems: [], attributes };
  } catch (error) {
    return { values, problems: problemsOf(error) };
  }
}
