import type { RuledCode, UnruledCode } from "../../base/errors.ts";
import type { Broken } from "../../base/rules.ts";

/** A constraint that a document breaks by its rule, or that has a code of its own. */
export type ConstraintWords = RuleWords | CodeWords;

interface RuleWords {
  pointer: string;
  breaks: Broken;
  /** The default is `invalid-attribute`. */
  code?: RuledCode;
}

export interface CodeWords {
  pointer: string;
  detail: string;
  code: UnruledCode;
}

/** The words for a unique index. A rule that finds the other resource throws the same words with its id. */
export const alreadyExists = (pointer: string, detail: string) =>
  ({ pointer, detail, code: "already-exists" }) as const satisfies CodeWords;
