import type { Policy } from "../../access/policy.ts";
import type { Code } from "../../base/errors.ts";
import type { CreateInput, Fields } from "./input.ts";
import type { ToOne } from "./relationships.ts";
import type { Resource, Reveal, WriteContext, Written } from "./resource.ts";

export interface CommandFields extends Fields {
  relationships: Record<string, ToOne>;
}

/**
 * An action that the caller requests with `POST /v1/<type>`. It is not a resource and cannot be read. The answer is the
 * resource that it created or changed.
 */
export interface Command<F extends CommandFields = CommandFields> {
  type: string;
  /** One sentence for the reference. */
  description: string;
  callers?: NonNullable<Resource["callers"]>;
  attributes: F["attributes"];
  relationships: F["relationships"];
  allow: Policy;
  key: "required" | "optional";
  status: 201 | 202;
  /** The type of the resource in the answer. */
  answers: string;
  /** Error codes that `run` raises, beyond those of the kernel. */
  refuses?: readonly Code[];
  /** Returns the id of the resource in the answer. */
  run: (context: WriteContext, input: CreateInput<F>) => Promise<Written>;
  reveal?: Reveal;
}

/** Checks the operation of a command against its fields. */
export function command<
  const A extends CommandFields["attributes"],
  const R extends CommandFields["relationships"],
>(definition: Command<{ attributes: A; relationships: R }>): Command;
export function command(definition: Command): Command {
  return definition;
}
