import { passwordMistake } from "../../access/passwords.ts";
import { didYouMean } from "../../base/choices.ts";
import {
  ApiError,
  escapePointer,
  fail,
  invalid,
  type Problem,
  problem,
} from "../../base/errors.ts";
import type { SessionLogin } from "./session/log-in.ts";
import type { Broken } from "../../base/rules.ts";
import { parseEnvelope, assertKnownMembers } from "../../jsonapi/request/input.ts";
import { checkTexts } from "../../jsonapi/request/validate.ts";

/** The bodies of these routes are not resources of a definition, so they are parsed here, with the usual errors. */
type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the text members of an object. A wrong member is reported in `problems` and returned as "". */
function texts<Name extends string>(
  members: Members,
  names: readonly Name[],
  pointer: string,
  problems: Problem[],
): Record<Name, string> {
  for (const name of Object.keys(members))
    if (!(names as readonly string[]).includes(name))
      problems.push(
        problem(
          "unknown-attribute",
          { rule: "unknown", given: name, hint: didYouMean(name, names).trim() },
          { pointer: `${pointer}/${escapePointer(name)}` },
        ),
      );
  const found = {} as Record<Name, string>;
  for (const name of names) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    found[name] = typeof value === "string" ? value : "";
    const source = { pointer: `${pointer}/${name}` };
    if (value === undefined)
      problems.push(problem("missing-attribute", { rule: "required" }, source));
    else if (typeof value !== "string")
      problems.push(problem("invalid-attribute", { rule: "type", type: "string" }, source));
  }
  return found;
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ApiError(problems);
}

/** The body of a plain JSON route. */
export function readPlain<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Record<Name, string> {
  if (!isObject(body))
    throw fail("malformed-document", "The body must be a JSON object.", { pointer: "" });
  const problems: Problem[] = [];
  checkTexts(body, problems);
  refuse(problems);
  const found = texts(body, names, "", problems);
  for (const name of names) {
    const isReported = problems.some(
      (one) => one.source && "pointer" in one.source && one.source.pointer === `/${name}`,
    );
    if (isReported) continue;
    const value = found[name];
    const mistake = name === "password" ? passwordMistake(value) : nameMistake(value);
    if (mistake) problems.push(problem("invalid-attribute", mistake, { pointer: `/${name}` }));
  }
  refuse(problems);
  return found;
}

/** The body of POST /session. */
export function readSessionLogin(body: unknown): SessionLogin {
  const { account, remember = false, ...required } = isObject(body) ? body : {};
  const login = readPlain(isObject(body) ? required : body, ["username", "password"]);
  const named = account === undefined ? undefined : readPlain({ account }, ["account"]);
  if (typeof remember !== "boolean") throw invalid("/remember", { rule: "type", type: "boolean" });
  return { ...login, account: named?.account, remember };
}

function nameMistake(value: string): Broken | undefined {
  if (value.trim() === "") return { rule: "not-blank" };
  return value.length > 254 ? { rule: "max-length", limit: 254 } : undefined;
}

function readData(body: unknown, type: string, problems: Problem[]): Members {
  const data = parseEnvelope(body, problems);
  if (!isObject(data) || typeof data["type"] !== "string")
    throw fail("malformed-document", 'The body must be `{"data": {"type": …}}`.', {
      pointer: isObject(data) ? "/data/type" : "/data",
    });
  if (data["type"] !== type)
    throw fail("type-mismatch", `The type of this route is ${type}.`, { pointer: "/data/type" });
  if (Object.hasOwn(data, "id"))
    throw fail("client-id-unsupported", "Client-generated ids are not supported.", {
      pointer: "/data/id",
    });
  assertKnownMembers(data, "/data", problems);
  return data;
}

function section(
  data: Members,
  name: "attributes" | "relationships",
  problems: Problem[],
): Members {
  const value = data[name] ?? {};
  if (isObject(value)) return value;
  problems.push(problem("malformed-document", "Must be an object.", { pointer: `/data/${name}` }));
  return {};
}

function reportUnknown(
  members: Members,
  name: "attributes" | "relationships",
  problems: Problem[],
): void {
  const code = name === "attributes" ? "unknown-attribute" : "unknown-relationship";
  for (const member of Object.keys(members))
    problems.push(
      problem(
        code,
        { rule: "unknown", given: member },
        { pointer: `/data/${name}/${escapePointer(member)}` },
      ),
    );
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

export function readPasswordChange(body: unknown): PasswordChange {
  const problems: Problem[] = [];
  const data = readData(body, "password-changes", problems);
  reportUnknown(section(data, "relationships", problems), "relationships", problems);
  const attributes = section(data, "attributes", problems);
  const names = ["current-password", "new-password"] as const;
  const found = texts(attributes, names, "/data/attributes", problems);
  // A current password that breaks the rules is just wrong.
  checkNewPassword(attributes, problems);
  refuse(problems);
  return { currentPassword: found["current-password"], newPassword: found["new-password"] };
}

function checkNewPassword(attributes: Members, problems: Problem[]): void {
  const password = attributes["new-password"];
  const mistake = typeof password === "string" && passwordMistake(password, 0);
  if (mistake)
    problems.push(
      problem("invalid-attribute", mistake, { pointer: "/data/attributes/new-password" }),
    );
}

export interface PasswordReset {
  username: string;
  /** Undefined if the person has not said which. */
  account: string | undefined;
}

export function readPasswordReset(body: unknown): PasswordReset {
  const problems: Problem[] = [];
  const data = readData(body, "password-resets", problems);
  reportUnknown(section(data, "relationships", problems), "relationships", problems);
  const attributes = section(data, "attributes", problems);
  const names = Object.hasOwn(attributes, "account")
    ? (["username", "account"] as const)
    : (["username"] as const);
  const found: Partial<Record<string, string>> = texts(
    attributes,
    names,
    "/data/attributes",
    problems,
  );
  for (const [name, value] of Object.entries(found)) {
    const mistake = typeof attributes[name] === "string" && nameMistake(value ?? "");
    if (mistake)
      problems.push(problem("invalid-attribute", mistake, { pointer: `/data/attributes/${name}` }));
  }
  refuse(problems);
  return { username: found["username"] ?? "", account: found["account"] };
}

export interface PasswordResetConfirmation {
  token: string;
  newPassword: string;
}

export function readPasswordResetConfirmation(body: unknown): PasswordResetConfirmation {
  const problems: Problem[] = [];
  const data = readData(body, "password-reset-confirmations", problems);
  reportUnknown(section(data, "relationships", problems), "relationships", problems);
  const attributes = section(data, "attributes", problems);
  const found = texts(attributes, ["token", "new-password"], "/data/attributes", problems);
  checkNewPassword(attributes, problems);
  refuse(problems);
  return { token: found.token, newPassword: found["new-password"] };
}

export interface TokenRevocation {
  personId: string;
  /** The token of the request stays. */
  keepsCurrent: boolean;
}

/** Reads the person whose tokens are revoked. A malformed id is reported by the look-up, as an id that does not exist. */
export function readTokenRevocation(body: unknown): TokenRevocation {
  const pointer = "/data/relationships/person";
  const problems: Problem[] = [];
  const data = readData(body, "access-token-revocations", problems);
  const { "keep-current": keepsCurrent = false, ...unknown } = section(
    data,
    "attributes",
    problems,
  );
  reportUnknown(unknown, "attributes", problems);
  if (typeof keepsCurrent !== "boolean")
    problems.push(
      problem(
        "invalid-attribute",
        { rule: "type", type: "boolean" },
        { pointer: "/data/attributes/keep-current" },
      ),
    );
  const { person, ...others } = section(data, "relationships", problems);
  reportUnknown(others, "relationships", problems);

  const linkage = isObject(person) ? person["data"] : undefined;
  if (person === undefined)
    problems.push(problem("missing-relationship", { rule: "required" }, { pointer }));
  else if (!isObject(linkage) || typeof linkage["id"] !== "string" || linkage["type"] !== "people")
    problems.push(
      problem(
        "invalid-relationship",
        { rule: "type", type: "object", hint: 'Send `{"data": {"type": "people", "id": …}}`.' },
        { pointer },
      ),
    );
  refuse(problems);
  return { personId: (linkage as { id: string }).id, keepsCurrent: keepsCurrent === true };
}
