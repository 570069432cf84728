import { type Relationship, targetTypes } from "../jsonapi/definition/relationships.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import { nameOf } from "./json.ts";

/** The name of the schemas of a relationship: of one type, or of several as `PersonOrCell`. */
export const targetName = (one: Relationship): string => targetTypes(one).map(nameOf).join("Or");

export const withSeveralTypes = ({ relationships }: Pick<Resource, "relationships">) =>
  Object.values(relationships).filter((one) => "alsoTo" in one);
