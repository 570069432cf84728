import type { Policy } from "../../access/policy.ts";
import type { Resource } from "./resource.ts";

export const policyOf = (operation: Policy | { allow: Policy }): Policy =>
  "allow" in operation ? operation.allow : operation;

/** The operation of a computed list. */
export const computedListOf = ({ operations }: Pick<Resource, "operations">) =>
  operations.list && "run" in operations.list ? operations.list : undefined;
