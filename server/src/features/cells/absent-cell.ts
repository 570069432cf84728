import { ApiError } from "../../base/errors.ts";
import type { Relationship } from "../../jsonapi/definition/relationships.ts";
import type { Resource } from "../../jsonapi/definition/resource.ts";
import { absent } from "../../jsonapi/request/input.ts";

/** The error for a relationship of the document that names a cell that does not exist. */
export const absentCell = (of: Resource, relationship: string): ApiError =>
  new ApiError([
    absent(
      of.relationships[relationship] as Relationship,
      `/data/relationships/${relationship}/data`,
    ),
  ]);
