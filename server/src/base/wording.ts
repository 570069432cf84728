import { choicesFor, didYouMean } from "./choices.ts";
import { escapePointer } from "./errors.ts";
import { type Broken, FORMAT, type Format, type ValueType } from "./rules.ts";

/** One error of a JSON Schema validator. */
export interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}

/** The annotations of a schema that errors use. */
interface Described {
  [FORMAT]?: Format;
  description?: string;
  minLength?: number;
  properties?: object;
  required?: string[];
}

/**
 * The errors worth reporting. An error of `anyOf`, or of the alternative `null`, accompanies every other error and does not
 * help the client. Unknown and missing members are reported one by one, not as an error of the whole object.
 */
export function usefulErrors(all: readonly SchemaError[]): readonly SchemaError[] {
  const errors = all.flatMap(missingMembers);
  const useful = errors.filter((error) => {
    const { keyword, params } = error;
    if (keyword === "type") return (params as { type?: unknown }).type !== "null";
    return isUnknownMember(error) || !uninformative.has(keyword);
  });
  return useful.length > 0 ? useful : errors;
}

const missingMembers = (error: SchemaError): SchemaError[] =>
  error.keyword === "required"
    ? (error.params as { requiredProperties: string[] }).requiredProperties.map((name) => ({
        ...error,
        instancePath: `${error.instancePath}/${escapePointer(name)}`,
      }))
    : [error];

const uninformative = new Set(["additionalProperties", "anyOf", "boolean", "propertyNames"]);

const UNKNOWN_MEMBER = "/additionalProperties";

/** Whether the error reports a member that the object's schema does not declare. */
export const isUnknownMember = ({ keyword, schemaPath }: SchemaError): boolean =>
  keyword === "boolean" && schemaPath.endsWith(UNKNOWN_MEMBER);

/** A visible character: not white space, a control, or an ignorable character such as a direction mark. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** The rule of these errors is the format of the text, if the schema has one. */
const ofFormat = new Set(["type", "format", "pattern"]);

/** The rule that a value at one place breaks. */
export function brokenRule(errors: readonly SchemaError[], schema: object, value: unknown): Broken {
  // The most helpful error first: a wrong name before a wrong value, an allowed list before a type, a type before a length.
  const error =
    errors.find(isOfName) ??
    errors.find(({ keyword }) => keyword === "enum") ??
    errors.find(({ keyword }) => ofFormat.has(keyword)) ??
    errors[0];
  if (!error) return { rule: "not-allowed-here" };
  if (isUnknownMember(error)) return unknownMember(error, schema);
  const at = schemaAt(schema, error.schemaPath);
  const broken = ruleOf(error, at, memberAt(value, error.instancePath));
  return isOfName(error)
    ? { ...broken, hint: "The rule is about the name of the member." }
    : broken;
}

const isOfName = ({ schemaPath }: SchemaError): boolean => schemaPath.endsWith("/propertyNames");

function unknownMember({ instancePath, schemaPath }: SchemaError, schema: object): Broken {
  const names = Object.keys(
    schemaAt(schema, schemaPath.slice(0, -UNKNOWN_MEMBER.length)).properties ?? {},
  );
  const given = nameAt(instancePath);
  const hint = `${didYouMean(given, names)} Known members: ${choicesFor(names, given)}.`.trim();
  return { rule: "unknown", given, hint };
}

const schemaAt = (schema: object, path: string): Described => memberAt(schema, path) ?? {};

/** The value at a JSON pointer. */
const memberAt = (within: unknown, path: string): unknown =>
  path
    .split("/")
    .slice(1)
    .reduce((at, step) => (at as Record<string, unknown> | undefined)?.[unescaped(step)], within);

const nameAt = (path: string): string => unescaped(path.split("/").at(-1) ?? "");

const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

function ruleOf(
  { instancePath, keyword, message, params }: SchemaError,
  at: Described,
  given: unknown,
): Broken {
  if (at.minLength !== undefined && typeof given === "string" && isBlank(given))
    return { rule: "not-blank" };
  const format = at[FORMAT];
  if (ofFormat.has(keyword) && format !== undefined) return { rule: "format", format };
  const {
    allowedValues = [],
    limit = 0,
    type,
  } = params as {
    allowedValues?: string[];
    limit?: number;
    type?: ValueType;
  };
  switch (keyword) {
    case "type":
      if (type === undefined) break;
      return { rule: "type", type, hint: membersOf(at) };
    case "enum": {
      const hint = at.description && `Must be ${at.description}.`;
      return { rule: "one-of", allowed: allowedValues, given, hint };
    }
    case "format":
      return { rule: "format", format: "one-line" };
    case "minLength":
      return { rule: "min-length", limit };
    case "maxLength":
      return { rule: "max-length", limit };
    case "minItems":
      return { rule: "min-items", limit };
    case "maxItems":
    case "maxProperties":
      return { rule: "max-items", limit };
    case "uniqueItems":
      return { rule: "repeated" };
    case "minimum":
      return { rule: "min", limit };
    case "maximum":
      return { rule: "max", limit };
    case "required":
      return { rule: "required", given: nameAt(instancePath) };
  }
  return { rule: "not-allowed-here", hint: `The value is not valid: ${message}.` };
}

function membersOf({ properties = {}, required = [] }: Described): string {
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  return [
    ...(required.length > 0 ? [`Required members: ${required.join(", ")}.`] : []),
    ...(others.length > 0 ? [`Optional members: ${others.join(", ")}.`] : []),
  ].join(" ");
}

/** The declarations of a resource type or a command. */
interface Declared {
  attributes: object;
  relationships: object;
}

/** A fact can be an attribute of one route and a relationship of another, so the hint also looks for the other kind. */
export function unknownName(
  of: Declared,
  kind: "attribute" | "relationship",
  name: string,
): Broken {
  const other = kind === "attribute" ? "relationship" : "attribute";
  const sameFact = [name, `${name}-id`, name.replace(/-id$/, "")].find((each) =>
    Object.hasOwn(of[`${other}s`], each),
  );
  const hint =
    sameFact === undefined
      ? didYouMean(name, Object.keys(of[`${kind}s`])).trim()
      : `Send the ${other} ${JSON.stringify(sameFact)}.`;
  return { rule: "unknown", given: name, hint };
}
