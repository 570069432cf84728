import { choicesFor } from "./choices.ts";

/** What a validator of JSON Schema found. */
export interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}

/** What a schema says of itself: `description` is what a value looks like, in words that follow "Must be". */
interface Described {
  description?: string;
  examples?: unknown[];
  properties?: object;
  required?: string[];
}

/**
 * What of it tells anything. That no alternative fits, or that it is not null either, is true of every mistake and helps with
 * none; what is wrong with a member, or with its name, is said of the member.
 */
export function telling(errors: readonly SchemaError[]): readonly SchemaError[] {
  const told = errors.filter((error) => {
    const { keyword, params } = error;
    if (keyword === "type") return (params as { type?: unknown }).type !== "null";
    return isOfStranger(error) || !untold.has(keyword);
  });
  return told.length > 0 ? told : errors;
}

const untold = new Set(["additionalProperties", "anyOf", "boolean", "propertyNames"]);

const OF_STRANGERS = "/additionalProperties";

/** Whether it says that no member of an object is called so: each of them has a mistake of its own. */
export const isOfStranger = ({ keyword, schemaPath }: SchemaError): boolean =>
  keyword === "boolean" && schemaPath.endsWith(OF_STRANGERS);

/** Of these a schema knows better words. A pattern is never told: it is for machines. */
const looks = new Set(["type", "format", "pattern"]);

/** What to do about a value with which all this is wrong, in words for people: the schema's, where it has any. */
export function sentence(errors: readonly SchemaError[], schema: object, value: unknown): string {
  // What does not look like what is wanted need not hear how long that may be; nor, where there is a list, of what type; nor
  // what a member should be that should not be called so.
  const error =
    errors.find(isOfName) ??
    errors.find(({ keyword }) => keyword === "enum") ??
    errors.find(({ keyword }) => looks.has(keyword)) ??
    errors[0];
  if (!error) return "Is not valid.";
  if (isOfStranger(error)) return strangerSentence(error, schema);
  const at = schemaAt(schema, error.schemaPath);
  if (!looks.has(error.keyword) || at.description === undefined)
    return generalSentence(error, at, value);
  const subject = isOfName(error) ? "Its name must" : "Must";
  const example = at.examples ? `, such as ${String(at.examples[0])}` : "";
  return `${subject} be ${at.description}${example}.`;
}

const isOfName = ({ schemaPath }: SchemaError): boolean => schemaPath.endsWith("/propertyNames");

function strangerSentence({ instancePath, schemaPath }: SchemaError, schema: object): string {
  const names = Object.keys(
    schemaAt(schema, schemaPath.slice(0, -OF_STRANGERS.length)).properties ?? {},
  );
  const given = unescaped(instancePath.split("/").at(-1) ?? "");
  return `There is no such member here. There are: ${choicesFor(names, given)}.`;
}

const schemaAt = (schema: object, path: string): Described => memberAt(schema, path) ?? {};

/** By a JSON pointer. */
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
      return `Lacks ${named("requiredProperties")}.`;
    default:
      return `Is not valid: ${message}.`;
  }
}

function membersOf({ properties = {}, required = [] }: Described): string {
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  const must = required.length > 0 ? ` with ${required.join(", ")}` : "";
  return others.length > 0 ? `${must}, which may have ${others.join(", ")}` : must;
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

/** What has members of its own: a type of the interface, or a command. */
interface Words {
  type: string;
  attributes: object;
  relationships: object;
}

/** What one route takes as an attribute another takes as a relationship: whoever mixes them up hears which it is here. */
export function unknownWord(of: Words, kind: "attribute" | "relationship", name: string): string {
  const other = kind === "attribute" ? "relationship" : "attribute";
  const names = [name, `${name}-id`, name.replace(/-id$/, "")];
  const meant = names.find((each) => Object.hasOwn(of[`${other}s`], each));
  const hint = meant === undefined ? "" : `, but the ${other} ${meant}`;
  return `${of.type} have no ${kind} ${JSON.stringify(name)}${hint}.`;
}
