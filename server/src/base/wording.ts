import { choicesFor, didYouMean } from "./choices.ts";

/** One error of a JSON Schema validator. */
export interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}

/** The annotations of a schema. `description` completes the sentence "Must be …". */
interface Described {
  description?: string;
  examples?: unknown[];
  properties?: object;
  required?: string[];
}

/**
 * The errors worth reporting. An error of `anyOf`, or of the alternative `null`, accompanies every other error and does not
 * help the client. Unknown members are reported one by one, not as an error of the whole object.
 */
export function usefulErrors(errors: readonly SchemaError[]): readonly SchemaError[] {
  const useful = errors.filter((error) => {
    const { keyword, params } = error;
    if (keyword === "type") return (params as { type?: unknown }).type !== "null";
    return isUnknownMember(error) || !uninformative.has(keyword);
  });
  return useful.length > 0 ? useful : errors;
}

const uninformative = new Set(["additionalProperties", "anyOf", "boolean", "propertyNames"]);

const UNKNOWN_MEMBER = "/additionalProperties";

/** Whether the error reports a member that the object's schema does not declare. */
export const isUnknownMember = ({ keyword, schemaPath }: SchemaError): boolean =>
  keyword === "boolean" && schemaPath.endsWith(UNKNOWN_MEMBER);

/** For these errors the schema's own description is clearer. A pattern is never shown. */
const described = new Set(["enum", "type", "format", "pattern"]);

/** One sentence about everything that is wrong with a value at one place. */
export function sentence(errors: readonly SchemaError[], schema: object, value: unknown): string {
  // The most helpful error first: a wrong name before a wrong value, an allowed list before a type, a type before a length.
  const error =
    errors.find(isOfName) ??
    errors.find(({ keyword }) => keyword === "enum") ??
    errors.find(({ keyword }) => described.has(keyword)) ??
    errors[0];
  if (!error) return "The value is not valid.";
  if (isUnknownMember(error)) return unknownMemberSentence(error, schema);
  const at = schemaAt(schema, error.schemaPath);
  if (!described.has(error.keyword) || at.description === undefined)
    return generalSentence(error, at, value);
  const subject = isOfName(error) ? "The name must" : "Must";
  const example = at.examples ? `, such as ${String(at.examples[0])}` : "";
  return `${subject} be ${at.description}${example}.${suggestion(error, value)}`;
}

const isOfName = ({ schemaPath }: SchemaError): boolean => schemaPath.endsWith("/propertyNames");

const suggestion = ({ instancePath, keyword, params }: SchemaError, value: unknown): string =>
  keyword === "enum"
    ? didYouMean(
        memberAt(value, instancePath),
        (params as { allowedValues: string[] }).allowedValues,
      )
    : "";

function unknownMemberSentence({ instancePath, schemaPath }: SchemaError, schema: object): string {
  const names = Object.keys(
    schemaAt(schema, schemaPath.slice(0, -UNKNOWN_MEMBER.length)).properties ?? {},
  );
  const given = unescaped(instancePath.split("/").at(-1) ?? "");
  return `Unknown member.${didYouMean(given, names)} Known members: ${choicesFor(names, given)}.`;
}

const schemaAt = (schema: object, path: string): Described => memberAt(schema, path) ?? {};

/** The value at a JSON pointer. */
const memberAt = (within: unknown, path: string): unknown =>
  path
    .split("/")
    .slice(1)
    .reduce((at, step) => (at as Record<string, unknown> | undefined)?.[unescaped(step)], within);

const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

function generalSentence(error: SchemaError, at: Described, value: unknown): string {
  const { instancePath, keyword, message, params } = error;
  const named = (name: string) => [(params as Record<string, unknown>)[name]].flat().join(", ");
  const limit = named("limit");
  switch (keyword) {
    case "type":
      return `Must be ${article(named("type"))}${membersOf(at)}.`;
    case "enum":
      return `Must be one of: ${choicesFor((params as { allowedValues: string[] }).allowedValues, memberAt(value, instancePath))}.`;
    case "format":
      return "Must be one line without control characters.";
    case "minLength":
      return limit === "1" ? "Must not be empty." : `Must have at least ${limit} characters.`;
    case "maxLength":
      return `Must have at most ${limit} characters.`;
    case "minItems":
      return limit === "1" ? "Must not be empty." : `Must have at least ${limit} entries.`;
    case "maxItems":
      return `Must have at most ${limit} entries.`;
    case "maxProperties":
      return `Must have at most ${limit} members.`;
    case "uniqueItems":
      return "Must not repeat an entry.";
    case "minimum":
      return `Must be ${limit} or more.`;
    case "maximum":
      return `Must be ${limit} or less.`;
    case "required":
      return `Missing member: ${named("requiredProperties")}.`;
    default:
      return `The value is not valid: ${message}.`;
  }
}

function membersOf({ properties = {}, required = [] }: Described): string {
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  const must = required.length > 0 ? ` with ${required.join(", ")}` : "";
  return others.length > 0 ? `${must}; optional members: ${others.join(", ")}` : must;
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

/** The declarations of a resource type or a command. */
interface Declared {
  type: string;
  attributes: object;
  relationships: object;
}

/** A fact can be an attribute of one route and a relationship of another, so the sentence also looks for the other kind. */
export function unknownName(
  of: Declared,
  kind: "attribute" | "relationship",
  name: string,
): string {
  const other = kind === "attribute" ? "relationship" : "attribute";
  const sameFact = [name, `${name}-id`, name.replace(/-id$/, "")].find((each) =>
    Object.hasOwn(of[`${other}s`], each),
  );
  const advice =
    sameFact === undefined
      ? didYouMean(name, Object.keys(of[`${kind}s`]))
      : ` Send the ${other} ${JSON.stringify(sameFact)}.`;
  return `Unknown ${kind} ${JSON.stringify(name)} of ${of.type}.${advice}`;
}
