import { limits } from "../../base/limits.ts";
import {
  type Attribute,
  computed,
  integer,
  object,
  optional,
  readOnly,
  text,
  timestamp,
} from "./attributes.ts";
import { webAddress } from "./contact.ts";

/**
 * An expression for links of storage `link`: the text that `FileLinks` signs. `seconds` is SQL. The link stays the same for that
 * long, counted from midnight, so that browsers can keep the file. It works for once to twice as long.
 */
export const steadyLink = (fileId: string, seconds: string): string =>
  reference(fileId, `(floor(extract(epoch from now()) / (${seconds})) + 2) * (${seconds})`);

const reference = (fileId: string, expires: string): string =>
  `${fileId}::text || '?expires=' || (${expires})::bigint::text`;

/** A read-only attribute with a signed link to the file that a column names. */
export const fileLink = (
  table: string,
  column: string,
  seconds: string,
): Attribute<string | null, "read-only"> => ({
  ...readOnly(optional(webAddress())),
  storage: "link",
  column,
  expression: steadyLink(`${table}.${column}`, seconds),
});

/** How long a link works that nothing keeps. */
const BRIEF_SECONDS = 900;

const brief = `floor(extract(epoch from now())) + ${BRIEF_SECONDS}`;

/** Read-only attributes with a signed link that works for 15 minutes. Responses that show it are never stored. */
export const briefLink = (table: string, column: string) => ({
  "url": {
    ...readOnly(webAddress()),
    storage: "link",
    brief: true,
    column,
    expression: reference(`${table}.${column}`, brief),
  } satisfies Attribute<string, "read-only">,
  "url-expires-at": computed(timestamp(), `to_timestamp(${brief})`),
});

/** The SQL of a column of `files`, for the file that a row names. */
export const ofFile = (table: string, column: string, fileId = "file_id"): string =>
  `(select x.${column} from files x where x.account_id = ${table}.account_id and x.id = ${table}.${fileId})`;

const fileObject = object(
  {
    "name": text({ maxLength: limits.fileNameLengthMax }),
    "media-type": text({ maxLength: 100 }),
    "bytes": integer({ minimum: 1 }),
    "url": webAddress(),
    "url-expires-at": timestamp(),
  },
  "StoredFile",
);

/** A read-only attribute that shows a file as an object, or null. Its column names the file, so rules write the id. */
export const fileAttribute = (
  table: string,
  column: string,
): Attribute<string | null, "read-only"> => ({
  ...readOnly(optional(text({ maxLength: 36 }))),
  schema: fileObject.schema,
  storage: "file",
  brief: true,
  column,
  expression: `(select json_build_object('name', x.name, 'media-type', x.media_type, 'bytes', x.bytes,
      'url', ${reference("x.id", brief)},
      'url-expires-at', to_char(to_timestamp(${brief}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
    from files x where x.account_id = ${table}.account_id and x.id = ${table}.${column})`,
});
