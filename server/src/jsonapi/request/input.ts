import { type Actor, isFullAdministrator } from "../../access/actor.ts";
import { holds, reachesNothing, reachOf } from "../../access/policy.ts";
import {
  ApiError,
  type Code,
  escapePointer,
  fail,
  type Problem,
  problem,
  refuse,
} from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { isTimestamp } from "../../base/timestamps.ts";
import { unknownName } from "../../base/wording.ts";
import type { Attribute } from "../definition/attributes.ts";
import { type CustomFields, schemaOfField } from "../definition/custom-fields.ts";
import type { Relationship } from "../definition/relationships.ts";
import { meant, type Resource, type ResourceInput } from "../definition/resource.ts";
import { checkTexts, validate } from "./validate.ts";

export interface InputRules {
  actor: Actor;
  customFields: CustomFields | undefined;
  /** Set on updates. */
  id?: string;
  /** The caller reaches the row only because it is their own record. */
  ownRecordOnly?: boolean;
}

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a document is parsed by: a resource's words, or those of a command. */
export type Words = Pick<
  Resource,
  "type" | "attributes" | "relationships" | "customProperties" | "idOptional" | "aliases"
>;

const malformed = (detail: string, pointer: string) =>
  fail("malformed-document", detail, { pointer });

const members = {
  "": ["data", "meta", "jsonapi", "links", "included"],
  "/data": ["type", "id", "lid", "attributes", "relationships", "links", "meta"],
};

/** Reports members that JSON:API does not define at this place. */
export function rejectUnknownMembers(
  given: Json,
  place: keyof typeof members,
  problems: Problem[],
) {
  for (const name of Object.keys(given)) {
    const detail = `A ${place ? "resource object" : "document"} has no member ${JSON.stringify(name)}.`;
    if (!members[place].includes(name))
      refuse(problems, "malformed-document", detail, `${place}/${escapePointer(name)}`);
  }
}

/** The envelope: `{"data": …}`, nothing that cannot be stored, nothing absurdly deep. */
export function parseEnvelope(body: unknown, problems: Problem[]): unknown {
  if (!isObject(body) || !Object.hasOwn(body, "data"))
    throw malformed("The document must be an object with a member `data`.", "");
  // The whole of it: what is passed over here is still read for the fingerprint of an Idempotency-Key.
  checkTexts(body, problems);
  if (problems.length > 0) throw new ApiError(problems);
  rejectUnknownMembers(body, "", problems);
  return body["data"];
}

/** Type and id first, since they are conflicts; then every attribute and relationship, all mistakes together. */
export function parseResource(of: Words, body: unknown, rules: InputRules): ResourceInput {
  const problems: Problem[] = [];
  const data = parseEnvelope(body, problems);
  if (!isObject(data)) throw malformed("`data` must be a resource object.", "/data");
  if (typeof data["type"] !== "string")
    throw malformed("A resource object needs a `type`.", "/data/type");
  if (data["type"] !== of.type)
    throw fail("type-mismatch", `The type of this route is ${of.type}.`, { pointer: "/data/type" });
  if (rules.id === undefined) {
    if (Object.hasOwn(data, "id"))
      throw fail("client-id-unsupported", "Client-generated ids are not supported.", {
        pointer: "/data/id",
      });
  } else if (typeof data["id"] !== "string") {
    if (!of.idOptional || Object.hasOwn(data, "id"))
      throw malformed("A resource object that is changed needs its `id`.", "/data/id");
  } else if (meant(of, rules.actor, data["id"]) !== rules.id)
    throw fail("id-mismatch", "The id differs from the one in the path.", { pointer: "/data/id" });

  rejectUnknownMembers(data, "/data", problems);
  const attributes = parseAttributes(of, data["attributes"], rules, problems);
  const { toOne, toMany } = parseRelationships(of, data["relationships"], rules, problems);
  throwProblems(problems);
  return { attributes, toOne, toMany, customFields: rules.customFields };
}

/** What the caller may not do, and what is not there, is said before what is merely wrong. */
function throwProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const first = [403, 404].find((status) => problems.some((one) => one.status === status));
  throw new ApiError(problems.filter(({ status }) => status === (first ?? status)));
}

function membersOf(part: string, problems: Problem[], raw: unknown = {}): Json | undefined {
  if (isObject(raw)) return raw;
  refuse(problems, "malformed-document", `\`${part}\` must be an object.`, `/data/${part}`);
  return undefined;
}

function parseAttributes(
  of: Words,
  raw: unknown,
  rules: InputRules,
  problems: Problem[],
): Map<string, unknown> {
  const parsed = new Map<string, unknown>();
  const sent = membersOf("attributes", problems, raw);
  if (!sent) return parsed;
  // Of a church's own fields some are required, or have a default, though none is sent.
  const own = rules.id === undefined && of.customProperties && rules.customFields;
  const given = { ...(own && { "custom-properties": {} }), ...sent };
  for (const [name, value] of Object.entries(given)) {
    const pointer = `/data/attributes/${escapePointer(name)}`;
    const attribute = Object.hasOwn(of.attributes, name) ? of.attributes[name] : undefined;
    const say = (code: Code, detail: string) => refuse(problems, code, detail, pointer);
    if (!attribute) say("unknown-attribute", unknownName(of, "attribute", name));
    else if (attribute.mode === "read-only" || (attribute.onlyChanged && rules.id === undefined))
      say("read-only-attribute", `${name} is set by the service.`);
    else if (!mayWrite(of, name, rules) && !isAsMade(attribute, value, rules))
      say("forbidden", `This person may not change ${name}.`);
    else if (of.customProperties && name === "custom-properties")
      parsed.set(name, parseCustom(value, pointer, rules, problems));
    else {
      const refusal = attribute.judge?.(value, pointer, problems);
      if (refusal !== undefined) say("invalid-attribute", refusal);
      else if (!(value === null && attribute.nullable))
        validate(attribute.schema, value, pointer, problems);
      parsed.set(name, value);
    }
  }
  if (rules.id === undefined) {
    for (const [name, attribute] of Object.entries(of.attributes))
      if (attribute.mode === "required" && !Object.hasOwn(given, name))
        refuse(problems, "missing-attribute", `${name} is required.`, `/data/attributes/${name}`);
  }
  return parsed;
}

/** Forms send all there is to send: to say what would be so anyway asks for nothing. */
const isAsMade = (attribute: Attribute, value: unknown, { id }: InputRules): boolean =>
  id === undefined && value === (attribute.initially ?? (attribute.nullable ? null : undefined));

/** What is unknown is told as such, not as what the caller may not write. */
export function mayWrite(of: Words, name: string, rules: InputRules): boolean {
  const attribute = of.attributes[name];
  if (attribute?.mode === "read-only") return false;
  if (!attribute || isFullAdministrator(rules.actor)) return true;
  // Fields of a church's own carry rules of their own, one by one.
  if (of.customProperties && name === "custom-properties") return true;
  if (rules.ownRecordOnly && !attribute.selfEditable) return false;
  // To overwrite unseen is to destroy, and to guess right would leave the version as it is.
  const { readableWith } = attribute;
  if (readableWith && !rules.ownRecordOnly && !holds(rules.actor, readableWith)) return false;
  if (!attribute.writableWith) return true;
  return !reachesNothing(reachOf(rules.actor, attribute.writableWith, {}));
}

const HOW_IT_COMES_BACK =
  "It comes back, with its values, when its definition is sent in `custom-properties` of the account.";

/** Field by field: null removes a value, fields that are not named keep theirs. */
function parseCustom(raw: unknown, pointer: string, rules: InputRules, problems: Problem[]): Json {
  if (!isObject(raw)) {
    refuse(problems, "invalid-attribute", "Must be an object of fields and values.", pointer);
    return {};
  }
  const fields = rules.customFields?.fields ?? new Map();
  const values: Json = {};
  for (const [name, value] of Object.entries(raw)) {
    const place = `${pointer}/${escapePointer(name)}`;
    const say = (code: Code, detail: string) => refuse(problems, code, detail, place);
    const field = fields.get(name);
    if (!field || !rules.customFields)
      say("unknown-attribute", `This church has not defined ${JSON.stringify(name)}.`);
    else if (!rules.customFields.mayWrite(rules, name))
      say("forbidden", `This person may not change ${name}.`);
    else if (field.archived) say("unknown-attribute", `${name} is archived. ${HOW_IT_COMES_BACK}`);
    else {
      if (value !== null) validate(schemaOfField(field), value, place, problems);
      else if (field.required) say("invalid-attribute", "Is required.");
      values[name] = field.type === "timestamp" ? inUtc(value) : value;
    }
  }
  if (rules.id === undefined)
    for (const [name, field] of fields) {
      if (field.archived || Object.hasOwn(values, name)) continue;
      if (field.default !== undefined) values[name] = field.default;
      else if (field.required)
        refuse(problems, "missing-attribute", `${name} is required.`, `${pointer}/${name}`);
    }
  return values;
}

/** As every timestamp is answered. What is none has been refused already. */
const inUtc = (value: unknown): unknown =>
  typeof value === "string" && isTimestamp(value) ? new Date(value).toISOString() : value;

function parseRelationships(of: Words, raw: unknown, rules: InputRules, problems: Problem[]) {
  const toOne = new Map<string, string | null>();
  const toMany = new Map<string, readonly string[]>();
  const malformedIds: Problem[] = [];
  const given = membersOf("relationships", problems, raw);
  if (!given) return { toOne, toMany };
  const pointerTo = (name: string) => `/data/relationships/${escapePointer(name)}`;
  for (const [name, value] of Object.entries(given)) {
    const pointer = pointerTo(name);
    const relationship = Object.hasOwn(of.relationships, name) ? of.relationships[name] : undefined;
    const say = (code: Code, detail: string) => refuse(problems, code, detail, pointer);
    if (!relationship) say("unknown-relationship", unknownName(of, "relationship", name));
    else if (!relationship.writable) say("read-only-attribute", `${name} is changed elsewhere.`);
    else if (rules.ownRecordOnly) say("forbidden", `This person may not change ${name}.`);
    else if (!isObject(value) || !Object.hasOwn(value, "data"))
      say("invalid-relationship", "A relationship needs `data`.");
    else {
      const place = `${pointer}/data`;
      const linkage = parseLinkage(relationship, value["data"], place, problems, malformedIds);
      if (relationship.kind === "to-one") toOne.set(name, linkage[0] ?? null);
      else toMany.set(name, linkage);
    }
  }
  if (rules.id === undefined)
    for (const [name, relationship] of Object.entries(of.relationships))
      if (relationship.kind === "to-one" && relationship.required && !Object.hasOwn(given, name))
        refuse(problems, "missing-relationship", `${name} is required.`, pointerTo(name));
  if (problems.length > 0) problems.push(...malformedIds);
  return { toOne, toMany };
}

/** What a document names and the caller cannot see. */
export const absent = (relationship: Relationship, pointer: string): Problem =>
  problem(
    relationship.kind === "to-one" && relationship.subject ? "not-found" : "invalid-relationship",
    "There is no such resource.",
    { pointer },
  );

/** Resource linkage: the ids, and every place that is wrong. `malformedIds` is for where no look-up follows. */
export function parseLinkage(
  relationship: Relationship,
  raw: unknown,
  pointer: string,
  problems: Problem[],
  malformedIds: Problem[],
): string[] {
  const say = (detail: string, place = pointer) =>
    void problems.push(problem("invalid-relationship", detail, { pointer: place }));
  // A malformed id is an id that does not exist: among many, the look-up tells it with those that are absent.
  const told = relationship.kind === "to-one" ? problems : malformedIds;
  const one = (value: unknown, place: string): string | undefined => {
    if (!isObject(value) || typeof value["type"] !== "string" || typeof value["id"] !== "string")
      return (say("Must be a resource identifier with `type` and `id`.", place), undefined);
    if (value["type"] !== relationship.target)
      return (say(`Must be of type ${relationship.target}.`, `${place}/type`), undefined);
    if (!isId(value["id"])) told.push(absent(relationship, `${place}/id`));
    return value["id"];
  };
  if (relationship.kind === "to-one") {
    if (raw === null) {
      if (relationship.required) say("Must not be null.");
      return [];
    }
    return [one(raw, pointer)].filter((id) => id !== undefined);
  }
  if (!Array.isArray(raw)) return (say("Must be an array of resource identifiers."), []);
  if (raw.length > limits.relationshipWriteMax)
    return (say(`Must have at most ${limits.relationshipWriteMax} entries.`), []);
  return raw.flatMap((value, position) => one(value, `${pointer}/${position}`) ?? []);
}
