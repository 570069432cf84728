import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createChange } from "./create-change.ts";
import { changeFields } from "./fields.ts";

export const formSubmissionChanges = resource({
  type: "form-submission-changes",
  description: "One decision about several submissions.",
  table: "form_submission_changes",
  ...changeFields,
  filters: {},
  sorts: {},
  defaultSort: "id",
  operations: {
    read: can("form-submissions:write"),
    create: {
      allow: can("form-submissions:write"),
      anyScope: ["form-submissions:write"],
      description:
        "Declines, archives or marks as spam 1 to 200 submissions. Each has a result of its own, and a submission whose status cannot change stays as it is.",
      run: createChange,
    },
  },
  reach: { creator: column("created_by") },
});
