import { folded } from "./folded.ts";
import type { Broken } from "./rules.ts";

/**
 * The rule for a password that a person sets. The service and the web app share this file, so it imports nothing that a browser
 * lacks. Logging in does not follow the rule, because older passwords stay valid.
 */
export interface PasswordOwner {
  names: readonly (string | null)[];
  email: string | null;
  churchName: string;
  alias: string;
}

/** A shorter name would be part of too many good passwords. */
const NAME_LENGTH_MIN = 4;

/** Returns the reason why a password cannot be set, or undefined. `common` has folded passwords. */
export function newPasswordMistake(
  password: string,
  {
    common,
    lengthMin,
    owner,
  }: {
    lengthMin: number;
    common: ReadonlySet<string>;
    /** Undefined if it is not known whose password it is. */
    owner: PasswordOwner | undefined;
  },
): Broken | undefined {
  if (Array.from(password.normalize("NFC")).length < lengthMin)
    return { rule: "min-length", limit: lengthMin };
  if (password.trim() === "") return { rule: "not-blank" };
  if (common.has(folded(password).trim())) return { rule: "too-common", part: "list" };
  const text = squeezed(password);
  const part = owner && partsOf(owner).find(([, name]) => contains(text, name))?.[0];
  return part && { rule: "too-common", part };
}

function partsOf({ alias, churchName, email, names }: PasswordOwner) {
  const words = names.flatMap((name) => [name ?? "", ...(name ?? "").split(/[\s'’.-]+/)]);
  const parts: readonly (readonly ["names" | "email" | "church", string])[] = [
    ...words.map((word) => ["names", word] as const),
    ["email", email ?? ""],
    ["email", (email ?? "").split("@")[0] ?? ""],
    ["church", churchName],
    ["church", alias],
  ];
  return parts;
}

/** The letters and digits alone, so that `Ana-Maria` is found in `anamaria`. */
const squeezed = (text: string): string => folded(text).replaceAll(/[^\p{L}\p{N}]/gu, "");

function contains(text: string, name: string): boolean {
  const wanted = squeezed(name);
  return Array.from(wanted).length >= NAME_LENGTH_MIN && text.includes(wanted);
}
