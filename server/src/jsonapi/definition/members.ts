import type { Attribute } from "./attributes.ts";
import type { Resource } from "./resource.ts";

/** The members of a resource and their columns. */

/** The relationships that can place a resource, the decisive one first. */
export const placesOf = ({ place = [] }: Pick<Resource, "place">): readonly string[] =>
  [place].flat();

/** Whether the type shows links that work for minutes. Responses with them are never stored. */
export const hasBriefLink = ({ attributes }: Pick<Resource, "attributes">): boolean =>
  Object.values(attributes).some(({ brief }) => brief);

/** The names of all members of a resource, attributes first. */
export const membersOf = (
  resource: Pick<Resource, "attributes" | "references" | "relationships">,
) =>
  [resource.attributes, resource.relationships, resource.references ?? {}].flatMap((each) =>
    Object.keys(each),
  );

export const columnOf = (name: string, attribute: Attribute): string =>
  attribute.column ?? name.replaceAll("-", "_");

export const accountColumnOf = (resource: Resource): string =>
  resource.accountColumn ?? "account_id";

const readsOthers = /\w\(|\bselect\b/;

/** Whether a member follows from other records or from the time, and changes without a new version of its resource. */
export function isComputed(
  { attributes, relationships }: Pick<Resource, "attributes" | "relationships">,
  name: string,
): boolean {
  const attribute = attributes[name];
  if (attribute)
    return (
      attribute.unversioned === true ||
      (attribute.mode === "read-only" && readsOthers.test(attribute.expression ?? ""))
    );
  const one = relationships[name];
  return one?.kind === "to-many" ? !one.writable : one !== undefined && !("column" in one);
}

/** The members that a document can show. */
export const shownMembersOf = (resource: Parameters<typeof membersOf>[0]) =>
  membersOf(resource).filter((name) => !resource.attributes[name]?.writeOnly);
