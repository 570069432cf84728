import { type Actor, isFullAdministrator } from "../../access/actor.ts";
import { holds, reachOf } from "../../access/policy.ts";
import { reachesNothing } from "../../access/reach.ts";
import {
  ApiError,
  escapePointer,
  fail,
  type Problem,
  problem,
  refuse,
  type RuledCode,
} from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { isTypedPhone, type PhoneFault, readPhone } from "../../base/phone-numbers.ts";
import { limits } from "../../base/limits.ts";
import type { Broken } from "../../base/rules.ts";
import { isTimestamp } from "../../base/timestamps.ts";
import { unknownName } from "../../base/wording.ts";
import { resolveAlias } from "../definition/aliases.ts";
import type { TSchema } from "typebox";
import type { Attribute } from "../definition/attributes.ts";
import { type CustomFields, type RowRights, schemaOfField } from "../definition/custom-fields.ts";
import { isWritable, type Relationship, targetTypes } from "../definition/relationships.ts";
import type { CreateInput, Fields, ResourceInput, UpdateInput } from "../definition/input.ts";
import { mapPhones } from "../definition/phones.ts";
import type { Resource } from "../definition/resource.ts";
import { checkTexts, validate } from "./validate.ts";

export interface InputRules {
  actor: Actor;
  customFields: CustomFields | undefined;
  /** The id of the updated resource. */
  id?: string;
  /** The caller's rights on the row. Undefined if they cover everything that the operation can do. */
  rights?: RowRights | undefined;
}

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members that a document may have, of a resource or a command. */
export type DocumentMembers = Pick<
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
export function assertKnownMembers(given: Json, place: keyof typeof members, problems: Problem[]) {
  for (const name of Object.keys(given)) {
    const detail = `A ${place ? "resource object" : "document"} has no member ${JSON.stringify(name)}.`;
    if (!members[place].includes(name))
      refuse(problems, "malformed-document", detail, `${place}/${escapePointer(name)}`);
  }
}

const required = { rule: "required" } as const;
const missing = (name: string) => ({ ...required, given: name });
const setByService = "The service sets it.";
const setAtCreation = "It cannot change after the creation.";
const identifier = "A resource identifier has `type` and `id`.";

/** Parses `{"data": …}` and rejects texts that cannot be stored and excessive nesting. */
export function parseEnvelope(body: unknown, problems: Problem[]): unknown {
  if (!isObject(body) || !Object.hasOwn(body, "data"))
    throw malformed("The document must be an object with a member `data`.", "");
  // The whole body is checked, because the fingerprint of an Idempotency-Key reads all of it.
  checkTexts(body, problems);
  if (problems.length > 0) throw new ApiError(problems);
  assertKnownMembers(body, "", problems);
  return body["data"];
}

/** Checks type and id first. Then all mistakes in attributes and relationships are reported together. */
export function parseResource<F extends Fields>(
  resource: DocumentMembers & F,
  body: unknown,
  rules: InputRules & { id?: never },
): CreateInput<F>;
export function parseResource<F extends Fields>(
  resource: DocumentMembers & F,
  body: unknown,
  rules: InputRules,
): UpdateInput<F>;
export function parseResource(
  resource: DocumentMembers,
  body: unknown,
  rules: InputRules,
): ResourceInput {
  const problems: Problem[] = [];
  const data = parseEnvelope(body, problems);
  if (!isObject(data)) throw malformed("`data` must be a resource object.", "/data");
  if (typeof data["type"] !== "string")
    throw malformed("A resource object requires a `type`.", "/data/type");
  if (data["type"] !== resource.type)
    throw fail("type-mismatch", `The type of this route is ${resource.type}.`, {
      pointer: "/data/type",
    });
  if (rules.id === undefined) {
    if (Object.hasOwn(data, "id"))
      throw fail("client-id-unsupported", "Client-generated ids are not supported.", {
        pointer: "/data/id",
      });
  } else if (typeof data["id"] !== "string") {
    if (!resource.idOptional || Object.hasOwn(data, "id"))
      throw malformed("The resource object of an update requires its `id`.", "/data/id");
  } else if (resolveAlias(resource, rules.actor, data["id"]) !== rules.id)
    throw fail("id-mismatch", "The id differs from the one in the path.", { pointer: "/data/id" });

  assertKnownMembers(data, "/data", problems);
  const attributes = parseAttributes(resource, data["attributes"], rules, problems);
  const linkage = parseRelationships(resource, data["relationships"], rules, problems);
  throwProblems(problems);
  return { attributes, ...linkage, customFields: rules.customFields };
}

/** 403 hides all other problems, and 404 hides those after it. */
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
  resource: DocumentMembers,
  raw: unknown,
  rules: InputRules,
  problems: Problem[],
): Json {
  const parsed: Json = {};
  const sent = membersOf("attributes", problems, raw);
  if (!sent) return parsed;
  // Custom fields may be required or have a default, even if the document contains none.
  const own = rules.id === undefined && resource.customProperties && rules.customFields;
  const given = { ...(own && { "custom-properties": {} }), ...sent };
  for (const [name, value] of Object.entries(given)) {
    const pointer = `/data/attributes/${escapePointer(name)}`;
    const attribute = Object.hasOwn(resource.attributes, name)
      ? resource.attributes[name]
      : undefined;
    const report = (code: RuledCode, broken: Broken) => refuse(problems, code, broken, pointer);
    if (!attribute) report("unknown-attribute", unknownName(resource, "attribute", name));
    else if (attribute.mode === "read-only" || (attribute.onlyChanged && rules.id === undefined))
      report("read-only-attribute", { rule: "read-only", hint: setByService });
    else if (attribute.onlyCreated && rules.id !== undefined)
      report("read-only-attribute", { rule: "read-only", hint: setAtCreation });
    else if (!mayWrite(resource, name, rules) && !isInitialValue(attribute, value, rules))
      refuse(problems, "forbidden", `This person may not change ${name}.`, pointer);
    else if (resource.customProperties && name === "custom-properties")
      parsed[name] = parseCustom(value, pointer, rules, problems);
    else {
      const refusal = attribute.check?.(value, pointer, problems);
      if (refusal) report("invalid-attribute", refusal);
      else if (!(value === null && attribute.nullable))
        validate(attribute.schema, value, pointer, problems);
      parsed[name] = withReadPhones(attribute.schema, value, pointer, rules, problems);
    }
  }
  if (rules.id === undefined) {
    for (const [name, attribute] of Object.entries(resource.attributes))
      if (attribute.mode === "required" && !Object.hasOwn(given, name))
        refuse(problems, "missing-attribute", missing(name), `/data/attributes/${name}`);
  }
  return parsed;
}

/** Forms often send every attribute. The value that a new resource has anyway needs no permission. */
const isInitialValue = (attribute: Attribute, value: unknown, { id }: InputRules): boolean =>
  id === undefined && value === (attribute.initialValue ?? (attribute.nullable ? null : undefined));

/** Whether the caller may set links. The operation judges the links of resources that people create for themselves. */
export const mayLink = (
  relationship: Relationship,
  { id, rights }: Pick<InputRules, "id" | "rights">,
): boolean =>
  !rights ||
  rights.all ||
  (id === undefined && rights.own) ||
  ("alsoWritableWith" in relationship &&
    relationship.alsoWritableWith?.some((one) => rights.some.has(one)) === true);

/** Unknown attributes are reported as unknown, not as forbidden. */
export function mayWrite(resource: DocumentMembers, name: string, rules: InputRules): boolean {
  const attribute = resource.attributes[name];
  if (attribute?.mode === "read-only") return false;
  if (attribute?.onlyCreated && rules.id !== undefined) return false;
  if (!attribute || isFullAdministrator(rules.actor)) return true;
  // Each custom field has its own rules.
  if (resource.customProperties && name === "custom-properties") return true;
  const { rights } = rules;
  if (rights && !rights.all)
    return (
      attribute.alsoWritableWith?.some((one) => rights.some.has(one)) === true ||
      (rights.own && attribute.selfEditable === true)
    );
  // A caller who cannot read a value could overwrite it blindly, or guess it, because equal values keep the version.
  const { readableWith } = attribute;
  if (readableWith && !holds(rules.actor, readableWith)) return false;
  if (!attribute.writableWith) return true;
  return !reachesNothing(reachOf(rules.actor, attribute.writableWith, {}));
}

const HOW_TO_RESTORE =
  "To restore it with its values, send its definition in `custom-properties` of the account.";

/** Parses the values of custom fields. Null removes a value, and omitted fields keep theirs. */
function parseCustom(raw: unknown, pointer: string, rules: InputRules, problems: Problem[]): Json {
  if (!isObject(raw)) {
    refuse(problems, "invalid-attribute", { rule: "type", type: "object" }, pointer);
    return {};
  }
  const fields = rules.customFields?.fields ?? new Map();
  const values: Json = {};
  for (const [name, value] of Object.entries(raw)) {
    const place = `${pointer}/${escapePointer(name)}`;
    const unknown = (hint?: string) =>
      refuse(problems, "unknown-attribute", { rule: "unknown", given: name, hint }, place);
    const field = fields.get(name);
    if (!field || !rules.customFields) unknown();
    else if (!rules.customFields.mayWrite(rules, name))
      refuse(problems, "forbidden", `This person may not change ${name}.`, place);
    else if (field.archived) unknown(`The field is archived. ${HOW_TO_RESTORE}`);
    else {
      if (value !== null) validate(schemaOfField(field), value, place, problems);
      else if (field.required) refuse(problems, "invalid-attribute", required, place);
      values[name] =
        field.type === "timestamp"
          ? inUtc(value)
          : withReadPhones(schemaOfField(field), value, place, rules, problems);
    }
  }
  if (rules.id === undefined)
    for (const [name, field] of fields) {
      if (field.archived || Object.hasOwn(values, name)) continue;
      if (field.default !== undefined) values[name] = field.default;
      else if (field.required && rules.customFields?.mayWrite(rules, name))
        refuse(problems, "missing-attribute", missing(name), `${pointer}/${name}`);
    }
  return values;
}

const ADVICE: Partial<Record<PhoneFault, string>> = {
  "country-code-missing":
    " Begin it with a plus sign and the code, or set `country` in the settings of the account.",
  "number-unknown": " With its country code it is accepted.",
};

/** The value with its telephone numbers in E.164. Numbers that do not fit the schema have already been reported. */
export const withReadPhones = (
  schema: TSchema,
  value: unknown,
  pointer: string,
  { actor }: Pick<InputRules, "actor">,
  problems: Problem[],
): unknown =>
  mapPhones(
    schema,
    value,
    {
      number: (typed, place) => {
        if (!isTypedPhone(typed)) return typed;
        const read = readPhone(typed, actor.country);
        if (typeof read === "string") return read;
        const hint = `${read.detail}${ADVICE[read.fault] ?? ""}`;
        refuse(problems, "invalid-attribute", { rule: "format", format: "phone", hint }, place);
        return typed;
      },
    },
    pointer,
  );

/** The form of all timestamps in answers. Invalid values have already been reported. */
const inUtc = (value: unknown): unknown =>
  typeof value === "string" && isTimestamp(value) ? new Date(value).toISOString() : value;

function parseRelationships(
  resource: DocumentMembers,
  raw: unknown,
  rules: InputRules,
  problems: Problem[],
) {
  const toOne: Record<string, string | null> = {};
  const toMany: Record<string, readonly string[]> = {};
  const targets: Record<string, string> = {};
  const malformedIds: Problem[] = [];
  const given = membersOf("relationships", problems, raw);
  if (!given) return { toOne, toMany, targets };
  const pointerTo = (name: string) => `/data/relationships/${escapePointer(name)}`;
  for (const [name, value] of Object.entries(given)) {
    const pointer = pointerTo(name);
    const relationship = Object.hasOwn(resource.relationships, name)
      ? resource.relationships[name]
      : undefined;
    const report = (code: RuledCode, broken: Broken) => refuse(problems, code, broken, pointer);
    if (!relationship) report("unknown-relationship", unknownName(resource, "relationship", name));
    else if (!relationship.writable) report("read-only-attribute", { rule: "read-only" });
    else if (rules.id !== undefined && !isWritable(relationship, "existing"))
      report("read-only-attribute", { rule: "read-only", hint: setAtCreation });
    else if (!mayLink(relationship, rules))
      refuse(problems, "forbidden", `This person may not change ${name}.`, pointer);
    else if (!isObject(value) || !Object.hasOwn(value, "data"))
      report("invalid-relationship", { ...required, hint: "A relationship requires `data`." });
    else {
      const place = `${pointer}/data`;
      const linkage = parseLinkage(relationship, value["data"], place, problems, malformedIds);
      if ("alsoTo" in relationship) targets[name] = typeIn(value["data"]);
      if (relationship.kind === "to-one") toOne[name] = linkage[0] ?? null;
      else toMany[name] = linkage;
    }
  }
  if (rules.id === undefined)
    for (const [name, relationship] of Object.entries(resource.relationships))
      if (relationship.kind === "to-one" && relationship.required && !Object.hasOwn(given, name))
        refuse(problems, "missing-relationship", missing(name), pointerTo(name));
  if (problems.length > 0) problems.push(...malformedIds);
  return { toOne, toMany, targets };
}

const typeIn = (linkage: unknown): string => (isObject(linkage) ? String(linkage["type"]) : "");

/** The problem of an id that does not exist or that the caller cannot read. */
export const absent = (relationship: Relationship, pointer: string): Problem =>
  "subject" in relationship
    ? problem("not-found", "There is no such resource.", { pointer })
    : problem("invalid-relationship", { rule: "not-found" }, { pointer });

/** The error for a to-one relationship of the document that names a resource which does not exist. */
export const absentTarget = <Name extends string>(
  { relationships }: { relationships: Record<Name, Relationship> },
  name: Name,
): ApiError => new ApiError([absent(relationships[name], `/data/relationships/${name}/data`)]);

/**
 * Returns the ids of resource linkage and reports every invalid place. Malformed ids of a to-many relationship are added to
 * `malformedIds`. The look-up reports them together with the absent ids, so they matter only if it does not run.
 */
export function parseLinkage(
  relationship: Relationship,
  raw: unknown,
  pointer: string,
  problems: Problem[],
  malformedIds: Problem[],
): string[] {
  const report = (broken: Broken, place = pointer) =>
    refuse(problems, "invalid-relationship", broken, place);
  const idProblems = relationship.kind === "to-one" ? problems : malformedIds;
  const one = (value: unknown, place: string): string | undefined => {
    if (!isObject(value) || typeof value["type"] !== "string" || typeof value["id"] !== "string")
      return (report({ rule: "type", type: "object", hint: identifier }, place), undefined);
    const allowed = targetTypes(relationship);
    if (!allowed.includes(value["type"]))
      return (
        report({ rule: "one-of", allowed, given: value["type"] }, `${place}/type`), undefined
      );
    if (!isId(value["id"])) idProblems.push(absent(relationship, `${place}/id`));
    return value["id"];
  };
  if (relationship.kind === "to-one") {
    if (raw === null) {
      if (relationship.required) report(required);
      return [];
    }
    return [one(raw, pointer)].filter((id) => id !== undefined);
  }
  if (!Array.isArray(raw)) return (report({ rule: "type", type: "array" }), []);
  if (raw.length > limits.relationshipWriteMax)
    return (report({ rule: "max-items", limit: limits.relationshipWriteMax }), []);
  return raw.flatMap((value, position) => one(value, `${pointer}/${position}`) ?? []);
}
