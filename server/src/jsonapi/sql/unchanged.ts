import { isDeepStrictEqual } from "node:util";
import { type InputRules, isObject, type Json, mayWrite } from "../request/input.ts";
import { wholeShape } from "../request/query.ts";
import { type ReadContext, readOne } from "./read.ts";
import type { Resource } from "../definition/resource.ts";

/**
 * The document of a change without what it only repeats. Many clients send back the whole resource they have read, with
 * what the service or others alone may set among it. As long as that is what it was, nothing is being changed; anything
 * else is refused where the document is parsed. It is compared with what the caller is shown, so that no guess tells
 * anything, and it is not written, whatever it becomes meanwhile. So is what follows from other attributes, while those are
 * not being changed: repeated, it goes on to follow. The present resource is read only if such members were sent.
 */
export async function withoutUnchanged(
  context: ReadContext,
  of: Resource,
  id: string,
  body: unknown,
  rules: InputRules,
): Promise<unknown> {
  if (!isObject(body) || !isObject(body["data"])) return body;
  const { attributes, relationships } = body["data"];
  const custom = of.customProperties && isObject(attributes) && attributes["custom-properties"];
  const kept = namesOf(attributes).filter(
    (name) => of.attributes[name]?.follows || !mayWrite(of, name, rules),
  );
  const fields = namesOf(custom).filter((name) => !rules.customFields?.mayWrite(rules, name));
  const links = namesOf(relationships).filter((name) => !of.relationships[name]?.writable);
  if (kept.length + fields.length + links.length === 0) return body;

  const { body: text } = await readOne(context, of, id, wholeShape);
  const present = (JSON.parse(text) as { data: { attributes: Json; relationships: Json } }).data;
  const { "custom-properties": shown } = present.attributes;
  const own = isObject(custom) && { "custom-properties": without(custom, fields, shown) };
  const given = isObject(attributes) ? { ...attributes, ...own } : attributes;
  const stays = (name: string) =>
    !namesOf(attributes).includes(name) ||
    isDeepStrictEqual((attributes as Json)[name], present.attributes[name]);
  const repeated = kept.filter((name) => of.attributes[name]?.follows?.every(stays) ?? true);
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

/** What is sent, but for those of the named members that are as they were. */
function without(
  sent: unknown,
  names: readonly string[],
  present: unknown,
  same: (present: unknown, sent: unknown) => boolean = isDeepStrictEqual,
): unknown {
  if (!isObject(sent) || !isObject(present)) return sent;
  const says = ([name, value]: [string, unknown]) =>
    !names.includes(name) || !same(present[name], value);
  return Object.fromEntries(Object.entries(sent).filter(says));
}

/** A relationship that is sent with nothing but its links says nothing about what it links to. */
function sameLinkage(present: unknown, sent: unknown): boolean {
  if (!isObject(sent) || !isObject(present)) return false;
  if (!Object.hasOwn(sent, "data")) return true;
  return isDeepStrictEqual(identities(present["data"]), identities(sent["data"]));
}

const identities = (linkage: unknown): unknown =>
  Array.isArray(linkage) ? new Set(linkage.map(identity)) : identity(linkage);

const identity = (one: unknown): unknown =>
  isObject(one) ? JSON.stringify([one["type"], one["id"]]) : one;
