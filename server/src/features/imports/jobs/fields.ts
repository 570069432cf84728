import { limits } from "../../../base/limits.ts";
import { DAY } from "../../../base/clock.ts";
import {
  type Attribute,
  type AttributeMode,
  boolean,
  choice,
  computed,
  defaulted,
  describe,
  example,
  formatted,
  integer,
  list,
  map,
  object,
  optional,
  readOnly,
  redacted,
  text,
  timestamp,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { countryCode } from "../../../jsonapi/definition/codes.ts";
import { importActions } from "../../../jsonapi/definition/importer.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { dateFormats } from "../columns/convert.ts";
import { kinds } from "../kinds.ts";
import { encodings } from "../file/records.ts";
import { statuses } from "./statuses.ts";

const targets = map(
  text({
    maxLength: 130,
    pattern: "^[a-z][a-z0-9.-]*$",
    ...formatted("import-target"),
  }),
  limits.importColumnsMax,
);

const header = { type: "string", minLength: 1, maxLength: 200, examples: ["Nome"] };

/** An object by the headers of columns. */
const byColumn = <V, M extends AttributeMode>(attribute: Attribute<V, M>): Attribute<V, M> => ({
  ...attribute,
  schema: { ...attribute.schema, propertyNames: header },
});

const cellText = { minLength: 1, maxLength: 200 };

const meanings = map(
  {
    ...map(text({ maxLength: 200 }), limits.importMeaningsMax),
    schema: {
      type: "object",
      propertyNames: { type: "string", ...cellText, examples: ["Membro"] },
      additionalProperties: text({ maxLength: 200 }).schema,
      maxProperties: limits.importMeaningsMax,
    },
  },
  limits.importColumnsMax,
);

const count = integer({ minimum: 0 });

const countsByCode = map(count, 100);

export const jobFields = {
  attributes: {
    ...timestamps,
    "kind": describe(example("people", choice(kinds)), {
      description: "The type of the records that the rows become.",
    }),
    "mapping": example(
      {
        "Nome": "full-name",
        "E-mail": "email",
        "Celular": "phone",
        "Nascimento": "birthdate",
        "Situação": "membership-status",
        "Família": "household",
        "Código": "external-ids.old-system",
      },
      describe(byColumn(targets), {
        description:
          "The columns of the file by their headers, and the target of each: an attribute, or a name such as that of a household. Other columns are ignored.",
      }),
    ),
    "value-mapping": example(
      { "Situação": { Congregado: "attender", Afastado: "former-member" } },
      defaulted(
        describe(byColumn(meanings), {
          description:
            "By column, the value that each text stands for. Case and accents are ignored. An empty value means a blank cell. Choices are also understood by their labels in English and in the language of the account.",
        }),
      ),
    ),
    "blank-values": example(
      ["-", "não tem"],
      defaulted(
        describe(list(text(cellText), { maxItems: 50, uniqueItems: true }), {
          description:
            "Texts that mean a blank cell. Case and accents are ignored. The default is `-`, `n/a`, `não tem` and `00/00/0000`.",
        }),
      ),
    ),
    "country": describe(optional(countryCode()), {
      example: "BR",
      description:
        "The country of telephone numbers without a country code. Defaults to `settings.country`.",
    }),
    "default-area-code": describe(
      optional(
        text({
          maxLength: 5,
          pattern: "^\\d{1,5}$",
          ...formatted("area-code"),
        }),
      ),
      { description: "The area of telephone numbers without an area code." },
    ),
    "household-key": describe(optional(text(cellText)), {
      example: "Ficha",
      description: "A column that tells families of one name apart.",
    }),
    "match-on": example(
      ["email"],
      defaulted(
        describe(
          list(choice(["email", "phone", "external-id", "name-birthdate"]), {
            maxItems: 4,
            uniqueItems: true,
          }),
          {
            description:
              "A row means the person who has any of these. Without one, each row of `people` is a new person. Other kinds require it.",
          },
        ),
      ),
    ),
    "on-match": example("update", defaulted(choice(["skip", "update"]))),
    "blank-overwrites": describe(defaulted(boolean()), {
      description: "Whether a blank cell removes the value of the person that the row updates.",
    }),
    // Some generators of clients reject a choice with a tab.
    "delimiter": defaulted(
      text({
        minLength: 1,
        maxLength: 1,
        pattern: "^[,;\\t|]$",
        ...formatted("delimiter"),
      }),
    ),
    "encoding": describe(optional(choice(encodings)), {
      description: "Without it, a file that is not valid UTF-8 is read as Windows-1252.",
    }),
    "date-format": example("DD/MM/YYYY", defaulted(choice(dateFormats))),
    "status": readOnly(choice(statuses)),
    "failure": describe(readOnly(optional(text({ maxLength: 1_000 }))), {
      description: "The reason for the status `failed`.",
    }),
    "counts": describe(
      readOnly(
        object({
          rows: count,
          create: count,
          update: count,
          skip: count,
          error: count,
          written: count,
          undone: count,
          kept: count,
          "by-column": byColumn(map(countsByCode, limits.importColumnsMax)),
        }),
      ),
      {
        description:
          "The rows that were read, the rows by action, and the progress of the run and of the undo. `by-column` has the errors by column and code. Those of a whole row stand under an empty name.",
      },
    ),
    "undo-until": computed(
      optional(timestamp()),
      `case when import_jobs.status in ('done', 'failed') and import_jobs.run_at is not null
        then import_jobs.finished_at + interval '${limits.importUndoMs / DAY} days' end`,
    ),
  },
  relationships: { ...authorship },
};

export type JobFields = typeof jobFields;

const jobOf = toOne("import-jobs", { column: "import_job_id", required: true });

const findings = list(
  object({
    column: optional(text({ maxLength: 200 })),
    code: text({ maxLength: 60 }),
    detail: text({ maxLength: 1_000 }),
    value: optional(text({ maxLength: 200 })),
  }),
  { maxItems: 1_000 },
);

export const rowFields = {
  attributes: {
    ...timestamps,
    "row": describe(readOnly(integer({ minimum: 2 })), {
      column: "row_number",
      description: "The number of the row in the file. The header is row 1.",
    }),
    "action": readOnly(choice(importActions)),
    "outcome": describe(readOnly(optional(choice(["written", "undone", "kept"]))), {
      description:
        "`written` by the run. After an undo, `undone`, or `kept` if the person or the link has changed since the run.",
    }),
    "errors": redacted(readOnly(findings)),
    "warnings": describe(redacted(readOnly(findings)), {
      description: "Reasons to look at a row, which is written all the same.",
    }),
  },
  relationships: {
    ...authorship,
    "import-job": linkOnly(jobOf),
    "person": linkOnly(toOne("people", { column: "person_id" })),
  },
};

/** The fields of runs and undos. */
export const stepFields = {
  attributes: timestamps,
  relationships: { ...authorship, "import-job": jobOf },
};

export type StepFields = typeof stepFields;
