import type { Permission } from "../../access/permissions.ts";
import { can, type Policy } from "../../access/policy.ts";
import type { Question, RowCondition, RowPart } from "./resource.ts";

/** A condition with its values: `notes.author_id = ${caller} or ${at("notes:delete")}`. */
export const onRow = (texts: TemplateStringsArray, ...parts: RowPart[]): RowCondition => ({
  texts,
  parts,
});

export const caller = { kind: "caller" } as const satisfies RowPart;

/** The caller's administrative status. */
export const status = { kind: "status" } as const satisfies RowPart;

/** The permissions that the caller holds in the whole account, as an array of texts. */
export const permissions = { kind: "permissions" } as const satisfies RowPart;

/** Whether the caller reaches the row with one of the permissions, or with a policy. */
export const at = (first: Permission | Policy, ...others: Permission[]): RowPart => ({
  kind: "at",
  policy: typeof first === "string" ? can(first, ...others) : first,
});

export const inAccount = (permission: Permission): RowPart => ({ kind: "in-account", permission });

export const question = (
  key: string,
  needs: readonly Permission[],
  ask: Question["ask"],
): Question => ({ kind: "question", key, needs, ask });

/** The questions that conditions name, each once. */
export function questionsIn(conditions: Iterable<RowCondition>): Set<Question> {
  const found = new Set<Question>();
  for (const { parts } of conditions)
    for (const part of parts) {
      if (typeof part === "string") continue;
      if ("texts" in part) for (const one of questionsIn([part])) found.add(one);
      else if (part.kind === "question") found.add(part);
    }
  return found;
}
