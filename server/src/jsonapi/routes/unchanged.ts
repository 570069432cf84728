import { isDeepStrictEqual } from "node:util";
import { placesOf } from "../definition/members.ts";
import { isWritable, linkPolicyOf } from "../definition/relationships.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import { type InputRules, isObject, type Json, mayLink, mayWrite } from "../request/input.ts";
import { wholeShape } from "../request/shape.ts";
import { writeResource } from "../response/document.ts";
import { readOne } from "../sql/read.ts";
import { readerOf } from "./documents.ts";
import { withKeptPeople } from "./merged.ts";

/**
 * Removes members that the caller may not write and that repeat the present value. Many clients send back the whole
 * resource they read, read-only members included. Members that differ stay, and the parser rejects them. The comparison
 * uses what the caller is shown, so a guess reveals nothing. The same holds for attributes that are derived from others
 * (`derivedFrom`): repeated, they stay derived. The present resource is read only if such members were sent.
 */
export async function withoutUnchanged(
  context: ReadContext,
  resource: Resource,
  id: string,
  body: unknown,
  rules: InputRules,
): Promise<unknown> {
  if (!isObject(body) || !isObject(body["data"])) return body;
  const { attributes, relationships } = body["data"];
  const custom =
    resource.customProperties && isObject(attributes) && attributes["custom-properties"];
  const kept = namesOf(attributes).filter(
    (name) => resource.attributes[name]?.derivedFrom || !mayWrite(resource, name, rules),
  );
  const fields = namesOf(custom).filter((name) => !rules.customFields?.mayWrite(rules, name));
  // A place that stays is not judged again: the caller may change a cell without reaching its parent.
  const links = namesOf(relationships).filter((name) => {
    const relationship = resource.relationships[name];
    if (!relationship || !isWritable(relationship, "existing")) return true;
    const needsMore = placesOf(resource).includes(name) || linkPolicyOf(relationship) !== undefined;
    return rules.rights !== undefined && (needsMore || !mayLink(relationship, rules));
  });
  if (kept.length + fields.length + links.length === 0) return body;

  const { row, ...view } = await readOne(context, resource, id, wholeShape);
  const text = writeResource(resource, row, await readerOf(context, resource), view);
  // Rows name authors who were merged later. The document has the ids of the kept people by now.
  const read = await withKeptPeople(context, { data: JSON.parse(text) }, { resource });
  const { data: present } = read as { data: { attributes: Json; relationships: Json } };
  const { "custom-properties": shown } = present.attributes;
  const own = isObject(custom) && { "custom-properties": without(custom, fields, shown) };
  const given = isObject(attributes) ? { ...attributes, ...own } : attributes;
  const stays = (name: string) =>
    !namesOf(attributes).includes(name) ||
    isDeepStrictEqual((attributes as Json)[name], present.attributes[name]);
  const repeated = kept.filter(
    (name) => resource.attributes[name]?.derivedFrom?.every(stays) ?? true,
  );
  return {
    ...body,
    data: {
      ...body["data"],
      attributes: without(given, repeated, present.attributes),
      relationships: without(relationships, links, present.relationships, sameLinkage),
    },
  };
}

const namesOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

/** A signed link changes with the time. It is the same if it leads to the same file. */
const sameValue = (present: unknown, sent: unknown): boolean =>
  isDeepStrictEqual(unsigned(present), unsigned(sent));

function unsigned(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\?expires=\d+&signature=[\w-]+$/, "");
  if (!isObject(value) || !("url-expires-at" in value)) return value;
  return { ...value, "url": unsigned(value["url"]), "url-expires-at": null };
}

/** The sent members without those of the named ones that are unchanged. */
function without(
  sent: unknown,
  names: readonly string[],
  present: unknown,
  same: (present: unknown, sent: unknown) => boolean = sameValue,
): unknown {
  if (!isObject(sent) || !isObject(present)) return sent;
  const says = ([name, value]: [string, unknown]) =>
    !names.includes(name) || !same(present[name], value);
  return Object.fromEntries(Object.entries(sent).filter(says));
}

/** A relationship that is sent without `data` changes nothing. */
function sameLinkage(present: unknown, sent: unknown): boolean {
  if (!isObject(sent) || !isObject(present)) return false;
  if (!Object.hasOwn(sent, "data")) return true;
  return isDeepStrictEqual(identities(present["data"]), identities(sent["data"]));
}

const identities = (linkage: unknown): unknown =>
  Array.isArray(linkage) ? new Set(linkage.map(identity)) : identity(linkage);

const identity = (one: unknown): unknown =>
  isObject(one) ? JSON.stringify([one["type"], one["id"]]) : one;
