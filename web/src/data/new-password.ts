import { type Problem, VestryError } from "@vestry/sdk";
import listUrl from "../../../server/src/access/common-passwords.txt?url";
import { newPasswordMistake, type PasswordOwner } from "../../../server/src/base/new-password.ts";

/** The parts of the rule that a page knows. The service knows the rest. */
export type KnownOfPassword = { lengthMin: number; owner: PasswordOwner };

/** The least length while an account sets none, and the greatest. */
export const PASSWORD_LENGTH = { usual: 8, most: 140 } as const;

let common: Promise<ReadonlySet<string>> | undefined;

/** Loads the list of common passwords. Without it, the service alone compares. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= fetchCommon().catch(() => {
    common = undefined;
    return new Set<string>();
  });
  return common;
}

async function fetchCommon(): Promise<ReadonlySet<string>> {
  const answer = await fetch(listUrl);
  if (!answer.ok) throw new Error(`The list of passwords answered ${answer.status}.`);
  return new Set((await answer.text()).trimEnd().split("\n"));
}

/** Throws the error of the service for a password that breaks the rule, without a request. */
export async function assertNewPassword(password: string, known: KnownOfPassword): Promise<void> {
  const mistake = newPasswordMistake(password, { ...known, common: await commonPasswords() });
  if (mistake === undefined) return;
  const problem: Problem = {
    status: "422",
    code: "invalid-attribute",
    title: "",
    detail: "",
    source: { pointer: "/data/attributes/new-password" },
    meta: { ...mistake, "request-id": "" },
  };
  throw new VestryError(422, [problem], {});
}
