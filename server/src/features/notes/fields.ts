import {
  type Attribute,
  type AttributeMode,
  choice,
  date,
  defaulted,
  describe,
  example,
  optional,
  readOnly,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { named, prose } from "../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toOne } from "../../jsonapi/definition/relationships.ts";

/** Events about notes contain ids only. */
const withheld = <V, M extends AttributeMode>(attribute: Attribute<V, M>) =>
  describe(attribute, { withheld: true });

export const followUpStatuses = ["open", "done"] as const;

export const noteFields = {
  attributes: {
    "created-at": withheld(readOnly(timestamp())),
    "modified-at": withheld(readOnly(timestamp())),
    "text": withheld(example("Called; comes on Sunday.", prose(20_000))),
    "kind": withheld(example("call", optional(named(40)))),
    "visibility": withheld(
      describe(defaulted(choice(["scope", "staff", "confidential"])), {
        example: "staff",
        description:
          "`scope`: callers with `notes:read` at the cell or class where the note was written, or for the subject if an author of the whole account wrote it. `staff`: callers with `notes:read` for the account. `confidential`: callers with `note-confidential:read`. The author and the assignee always see the note.",
      }),
    ),
    "follow-up-on": withheld(example("2026-12-01", optional(date()))),
    "follow-up-status": withheld(
      describe(optional(choice(followUpStatuses)), {
        alsoWritableWith: ["notes:read"],
        description: "Null without `follow-up-on`. With it, `open` by default.",
      }),
    ),
  },
  relationships: {
    ...authorship,
    about: toOne("people", {
      column: "about_person_id",
      alsoTo: { households: "about_household_id", cells: "about_cell_id" },
      required: true,
      onlyCreated: true,
    }),
    author: linkOnly(toOne("people", { column: "author_id" })),
    assignee: toOne("people", { column: "assignee_id", alsoWritableWith: ["notes:read"] }),
  },
};

export type NoteFields = typeof noteFields;
