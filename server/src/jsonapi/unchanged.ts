import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "./input.ts";
import { wholeShape } from "./query.ts";
import { type ReadContext, readOne } from "./read.ts";
import type { Resource } from "./resource.ts";

/**
 * The document of a change without what it only repeats. Many clients send back the whole resource they have read, with
 * what the service sets among it. As long as that is what it was, nothing is being changed; anything else is refused
 * where the document is parsed. The present resource is read only if such members were sent.
 */
export async function withoutUnchanged(
  context: ReadContext,
  of: Resource,
  id: string,
  body: unknown,
): Promise<unknown> {
  if (!isObject(body) || !isObject(body["data"])) return body;
  const { attributes, relationships } = body["data"];
  const kept = namesOf(attributes).filter((name) => of.attributes[name]?.mode === "read-only");
  const linked = namesOf(relationships).filter(
    (name) => of.relationships[name]?.writable === false,
  );
  if (kept.length === 0 && linked.length === 0) return body;

  const { body: text } = await readOne(context, of, id, wholeShape);
  const present = (JSON.parse(text) as { data: { attributes: Json; relationships: Json } }).data;
  const same = kept.filter((name) =>
    sameValue(present.attributes[name], (attributes as Json)[name]),
  );
  const sameLinks = linked.filter((name) =>
    sameLinkage(present.relationships[name], (relationships as Json)[name]),
  );
  return {
    ...body,
    data: {
      ...body["data"],
      ...(attributes !== undefined && { attributes: without(attributes, same) }),
      ...(relationships !== undefined && { relationships: without(relationships, sameLinks) }),
    },
  };
}

const namesOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

const sameValue = (present: unknown, sent: unknown): boolean =>
  present !== undefined && isDeepStrictEqual(present, sent);

/** A relationship that is sent with nothing but its links says nothing about what it links to. */
function sameLinkage(present: unknown, sent: unknown): boolean {
  if (!isObject(sent) || !isObject(present)) return false;
  if (!Object.hasOwn(sent, "data")) return true;
  return isDeepStrictEqual(identities(present["data"]), identities(sent["data"]));
}

function identities(linkage: unknown): unknown {
  if (!Array.isArray(linkage)) return isObject(linkage) ? identity(linkage) : linkage;
  return new Set(linkage.map((one) => (isObject(one) ? identity(one) : one)));
}

const identity = ({ id, type }: Json): string => JSON.stringify([type, id]);

function without(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
