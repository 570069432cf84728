import { type Attribute } from "../../../jsonapi/definition/attributes.ts";

export const actions = [
  "created",
  "updated",
  "deleted",
  "permission-changed",
  "merged",
  "logged-in",
  "login-failed",
  "password-changed",
] as const;

export const causes = ["ui", "api", "form", "merge", "system", "import"] as const;

/** The values of a member before and after, by the name of the member. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

export const changesOf = (): Attribute<Changes, "required"> => ({
  schema: {
    type: "object",
    additionalProperties: {
      type: "object",
      properties: { from: {}, to: {} },
      required: ["from", "to"],
      additionalProperties: false,
    },
  },
  storage: "json",
  mode: "required",
  nullable: false,
});
