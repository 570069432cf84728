import { fail } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { Catalogue } from "../../../jsonapi/definition/resource.ts";
import {
  doesNotAccept,
  QueryReader,
  type RawQuery,
} from "../../../jsonapi/request/query-reader.ts";
import { malformedPosition, NOW, type Position, positionOf } from "./position.ts";
import { changeActions } from "./rows.ts";
import { followedTypes } from "./view.ts";

/** `now` stands for the position of the newest row. */
type Start = Position | typeof NOW | undefined;

interface Parameters {
  after: Start;
  size: number;
  types: readonly string[] | undefined;
  actions: readonly string[] | undefined;
  linkParameters: readonly (readonly [string, string])[];
}

export function parseChangesQuery(catalogue: Catalogue, raw: RawQuery): Parameters {
  const reader = new QueryReader(raw);
  const linkParameters = [...reader.values].filter(([name]) => name !== "page[after]");
  const query = {
    after: readAfter(reader),
    size: readSize(reader),
    types: readSome(reader, "filter[types]", followedTypes(catalogue)),
    actions: readSome(reader, "filter[action]", changeActions),
    linkParameters,
  };
  reader.finish();
  return query;
}

/** A browser sends `Last-Event-ID` when it connects again, and repeats the address with its first position. */
export function parseStreamQuery(
  catalogue: Catalogue,
  raw: RawQuery,
  lastEventId: string | undefined,
): Pick<Parameters, "actions" | "after" | "types"> {
  const reader = new QueryReader(raw);
  const after = readAfter(reader);
  const types = readSome(reader, "filter[types]", followedTypes(catalogue));
  const actions = readSome(reader, "filter[action]", changeActions);
  reader.finish();
  if (lastEventId === undefined || lastEventId === "")
    return { after: after ?? NOW, types, actions };
  const last = positionOf(lastEventId);
  if (!last)
    throw fail("invalid-header", "`Last-Event-ID` must be the position of an event.", {
      header: "Last-Event-ID",
    });
  return { after: last, types, actions };
}

function readAfter(reader: QueryReader): Start {
  const parameter = "page[after]";
  const given = reader.take(parameter);
  if (given === undefined || given === NOW) return given;
  const position = positionOf(given);
  if (!position) reader.report(parameter, malformedPosition);
  return position;
}

function readSize(reader: QueryReader): number {
  const parameter = "page[size]";
  const given = reader.take(parameter);
  if (given === undefined) return limits.pageSizeDefault;
  const size = /^\d{1,9}$/.test(given) ? Number(given) : undefined;
  if (size === undefined) reader.report(parameter, { rule: "type", type: "integer" });
  else if (size < 1) reader.report(parameter, { rule: "min", limit: 1 });
  else if (size > limits.changesPageSizeMax)
    reader.report(parameter, { rule: "max", limit: limits.changesPageSizeMax });
  return size ?? limits.pageSizeDefault;
}

function readSome(
  reader: QueryReader,
  parameter: string,
  known: readonly string[],
): readonly string[] | undefined {
  const given = reader.take(parameter)?.split(",").filter(Boolean);
  const unknown = given?.find((one) => !known.includes(one));
  if (unknown !== undefined) reader.report(parameter, doesNotAccept(unknown, known));
  return given;
}
