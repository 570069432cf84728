import { solvedChallenge } from "./challenges.ts";
import { readFormToken } from "./form-tokens.ts";

/** The members of a document that show that the service has shown its sender a page. */
export interface Signs {
  token: unknown;
  proof: unknown;
}

/** Whether the service signed the token, or the challenge of the proof if there is no token. The database is not asked. */
export async function isSigned(
  key: Uint8Array,
  accountId: string,
  { proof, token }: Signs,
): Promise<boolean> {
  if (typeof token === "string") return readFormToken(key, accountId, token) !== undefined;
  return typeof proof === "string" && (await solvedChallenge(key, accountId, proof)) !== undefined;
}

/** The signs in a document that is not checked yet. */
export function signsIn(document: unknown): Signs {
  const attributes = memberOf(memberOf(document, "data"), "attributes");
  return { token: memberOf(attributes, "form-token"), proof: memberOf(attributes, "proof") };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
